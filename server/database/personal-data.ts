import type { Ctx } from './context.ts'

/** The person; `maxRows` limits each part of an export to the newest rows. */
export interface Person {
  id: number
  phone: string
  maxRows: number
}

/** How export and erasure treat a table. A test compares this with the table in docs/trust.md. */
export interface TableOfPerson {
  /** The part of the export with its rows; or `no:` and the reason. */
  exported: string
  /** What erasure does to its rows; or `no:` and the reason. */
  erased: string
}

/** A feature's export and erasure of personal data; app.ts registers all of them. */
export interface PersonalData {
  tables: Readonly<Record<string, TableOfPerson>>
  /** Rows by part. Without hashes and without data of other people, such as author, address or browser of staff. */
  export?: (ctx: Ctx, person: Person) => Promise<Readonly<Record<string, readonly unknown[]>>>
  /** Runs in the erasing transaction, in the order of the list. */
  erase?: (ctx: Ctx, person: Person) => Promise<void>
}

/** Author of a change without naming staff: the person, the house (staff) or the system. */
export const byWhom = (authorId: number | null, { id }: Pick<Person, 'id'>): 'person' | 'house' | 'system' =>
  authorId === null ? 'system' : authorId === id ? 'person' : 'house'
