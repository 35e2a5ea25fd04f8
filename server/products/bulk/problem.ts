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

/** Titles from the product's specification; in English for every language of the request. */
export const titles: Readonly<Record<ProblemKind, string>> = {
  format: 'Invalid file format',
  quotes: 'File parsing error',
  json: 'File parsing error',
  shape: 'File parsing error',
  none: 'No valid products',
  tooMany: 'Upload failed',
  missingColumn: 'File parsing error',
  repeatedColumn: 'File parsing error',
  tooManyCells: 'File parsing error',
  tooLong: 'File parsing error',
}

export class FileProblem extends Error {
  readonly kind: ProblemKind
  /** Data row, from 1; 0 for the heading or the whole file. */
  readonly row: number
  readonly field: string

  constructor(kind: ProblemKind, row = 0, field = 'file') {
    super(titles[kind])
    this.kind = kind
    this.row = row
    this.field = field
  }
}
