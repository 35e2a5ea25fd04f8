import type { TestShop } from './app.ts'
import type { Identity, Person } from './identities.ts'

export interface Sent {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: unknown
}

/** One row of the matrix: the request, and the status for all identities that `allow` admits. */
export interface Row {
  name: string
  send?: (shop: TestShop, person: Person) => Promise<Sent> | Sent
  status: number
  /** Statuses that differ by identity. */
  but?: Partial<Record<Identity, number>>
}
