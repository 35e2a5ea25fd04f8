import * as z from 'zod/mini'
import { dayInput } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { instant, rowId, vendorFilter } from './ids.ts'
import { langs } from './lang.ts'
import { page, pageQuery } from './page.ts'
import type { Role } from './roles.ts'

/** How far back one leafs; days and people narrow it. */
export const MOST_AUDIT_ROWS = 10_000
/** Counting goes so far beyond the page one is at: a total as large means "or more". */
export const AUDIT_COUNTED_AHEAD = 1_000

const person = z.object({ id: z.number(), name: z.nullable(z.string()), phone: z.string() })

/** One thing that was done, from whichever history holds it. */
export const auditEntry = z.object({
  /** `log-…`, `order-…` or `product-…`. */
  id: z.string(),
  at: instant,
  action: z.string(),
  resource: z.string(),
  resourceId: z.nullable(z.string()),
  /** What the resource is called, where it has a name. */
  title: z.nullable(z.string()),
  titleAr: z.nullable(z.string()),
  vendorId: z.nullable(z.number()),
  /** Who sat at the keyboard; null for what the shop did by itself. */
  user: z.nullable(person),
  /** Whom that person acted as, or for whom it was done. */
  onBehalfOf: z.nullable(person),
  /** JSON form, money in BHD; secrets are blotted out. */
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
  notes: z.nullable(z.string()),
  /** A super admin's to see. */
  ipAddress: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
})
export type AuditEntry = z.output<typeof auditEntry>

const people = ['super_admin', 'vendor_admin'] as const satisfies readonly Role[]
const filters = {
  /** Done by this person, or as them. */
  userId: z.optional(rowId),
  resource: z.optional(z.string().check(z.maxLength(40))),
  action: z.optional(z.string().check(z.maxLength(40))),
  /** Bahrain days, both included. */
  from: z.optional(dayInput),
  to: z.optional(dayInput),
  /** Name or phone of a person, or the id of what it was done to. */
  search: z.optional(z.string().check(z.maxLength(100))),
  vendorId: vendorFilter,
}

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  allow: people,
  permissions: ['audit.read'],
  summary: 'Who did what: the histories of orders and products and everything else as one, newest first',
  query: z.object({ ...pageQuery.shape, ...filters }),
  returns: page(auditEntry),
})

export const exportAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit.csv',
  allow: people,
  permissions: ['audit.read'],
  forbidWhileImpersonating: true,
  summary: 'The same as a file for spreadsheets, the newest ten thousand',
  query: z.object({ ...filters, lang: z.optional(z.enum(langs)) }),
  produces: 'text/csv; charset=utf-8',
  returns: z.unknown(),
})
