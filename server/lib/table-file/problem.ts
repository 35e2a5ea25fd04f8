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
  /** Data row, from 1; 0 for the heading or the whole file. */
  readonly row: number
  readonly field: string

  constructor(kind: ProblemKind, row = 0, field = 'file') {
    super(`The file is rejected: ${kind}`)
    this.kind = kind
    this.row = row
    this.field = field
  }
}
