import * as z from 'zod/mini'
import { dayInput } from './calendar/dates.ts'
import { endpoint, tableFile } from './endpoint.ts'
import { instant, rowId, vendorFilter } from './lib/ids.ts'
import { langs } from './lib/lang.ts'
import { page, pageQuery } from './lib/page.ts'
import type { Role } from './users/roles.ts'

/** Number of rows that can be paged through; filters by day and person reach older ones. */
export const MOST_AUDIT_ROWS = 10_000
/** Rows counted beyond the current page. A total at this limit means "or more". */
export const AUDIT_COUNTED_AHEAD = 1_000

const person = z.object({ id: z.number(), name: z.nullable(z.string()), phone: z.string() })

/** One entry, from any of the histories. */
export const auditEntry = z.object({
  /** `log-…`, `order-…` or `product-…`. */
  id: z.string(),
  at: instant,
  action: z.string(),
  resource: z.string(),
  resourceId: z.nullable(z.string()),
  /** Name of the resource, if it has one. */
  title: z.nullable(z.string()),
  titleAr: z.nullable(z.string()),
  vendorId: z.nullable(z.number()),
  /** The person who acted, also during impersonation; null for the system. */
  user: z.nullable(person),
  /** The impersonated person, or the person the change was made for. */
  onBehalfOf: z.nullable(person),
  /** The API key by which the person acted. */
  key: z.nullable(z.object({ id: z.number(), name: z.string() })),
  /** Values in JSON form, money in BHD; secrets are masked. */
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
  notes: z.nullable(z.string()),
  /** Shown to super admins only. */
  ipAddress: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
})
export type AuditEntry = z.output<typeof auditEntry>

const people = ['super_admin', 'vendor_admin'] as const satisfies readonly Role[]
const filters = {
  /** Entries by this person or on behalf of this person. */
  userId: z.optional(rowId),
  resource: z.optional(z.string().check(z.maxLength(40))),
  action: z.optional(z.string().check(z.maxLength(40))),
  /** Bahrain days, both inclusive. */
  from: z.optional(dayInput),
  to: z.optional(dayInput),
  /** Name or phone of a person, or id of the resource. */
  search: z.optional(z.string().check(z.maxLength(100))),
  vendorId: vendorFilter,
}

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  allow: people,
  permissions: ['audit.read'],
  summary: 'Audit log, including the histories of orders and products, newest first',
  query: z.object({ ...pageQuery.shape, ...filters }),
  returns: page(auditEntry),
})

export const exportAudit = endpoint({
  ...tableFile,
  path: '/api/admin/audit.csv',
  allow: people,
  permissions: ['audit.read'],
  summary: 'Audit log as a CSV file, the newest 10,000 rows',
  query: z.object({ ...filters, lang: z.optional(z.enum(langs)) }),
})
