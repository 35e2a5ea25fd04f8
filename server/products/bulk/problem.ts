import type { ProblemKind } from '../../lib/table-file/problem.ts'

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
  tooBig: 'Upload failed',
}
