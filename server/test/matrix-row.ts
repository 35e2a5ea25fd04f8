import type { TestShop } from './app.ts'
import type { Identity, Person } from './identities.ts'

export interface Sent {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: unknown
}

/** One row of the table: what is asked for, and what those whom `allow` lets in are told. */
export interface Row {
  name: string
  send?: (shop: TestShop, person: Person) => Promise<Sent> | Sent
  status: number
  /** Where it differs by who asks. */
  but?: Partial<Record<Identity, number>>
}
