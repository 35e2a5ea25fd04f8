import type { Ctx } from './context.ts'

/** Whose data it is; `mostRows` bounds each part of the file, the newest rows first. */
export interface Person {
  id: number
  phone: string
  mostRows: number
}

/** What becomes of a table of personal data. docs/trust.md lists the same, and a test compares the two. */
export interface TableOfPerson {
  /** The part of the file that holds its rows; or, behind `no:`, why the file does not. */
  exported: string
  /** What erasing an account does to its rows; or, behind `no:`, why they stay. */
  erased: string
}

/** A feature's duty towards the people in its tables; app.ts hands all of them to export and erasure. */
export interface PersonalData {
  tables: Readonly<Record<string, TableOfPerson>>
  /** Rows by part. Never hashes, and nothing of other people: no author, address or browser of the house. */
  export?: (ctx: Ctx, person: Person) => Promise<Readonly<Record<string, readonly unknown[]>>>
  /** Runs in the erasing transaction, in the order of the list. */
  erase?: (ctx: Ctx, person: Person) => Promise<void>
}

/** Who did something, as its subject may know it: the person, somebody of the house, or a program. */
export const byWhom = (authorId: number | null, { id }: Pick<Person, 'id'>): 'person' | 'house' | 'system' =>
  authorId === null ? 'system' : authorId === id ? 'person' : 'house'
