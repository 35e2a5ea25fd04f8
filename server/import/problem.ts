import type { BulkFailure, RepairAct } from '@qatra/contract/lib/upload'

/** Why a whole file is rejected. */
export type ProblemKind =
  | 'format'
  | 'quotes'
  | 'json'
  | 'shape'
  | 'none'
  | 'tooMany'
  | 'missingColumn'
  | 'repeatedColumn'
  | 'tooManyCells'
  | 'tooLong'
  | 'tooBig'

export class FileProblem extends Error {
  readonly kind: ProblemKind
  /** Row as a spreadsheet numbers it; 0 for the whole file. */
  readonly row: number
  readonly field: string

  constructor(kind: ProblemKind, row = 0, field = 'file') {
    super(`The file is rejected: ${kind}`)
    this.kind = kind
    this.row = row
    this.field = field
  }
}

/** A failure with what is needed to group and repair it. */
export interface RowFailure extends BulkFailure {
  /** Key of the message. */
  problem: string
  /** What would make the cell readable. */
  acts?: readonly RepairAct[]
}

/** As the answer has it. */
export const plainFailure = ({ row, field, reason, value }: BulkFailure): BulkFailure => ({
  row,
  field,
  reason,
  ...(value !== undefined && { value }),
})
