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
