import type { Ctx } from '../database/context.ts'
import { emit } from './domain-events.ts'

export type ExportedList =
  | 'orders'
  | 'customers'
  | 'bottles'
  | 'products'
  | 'audit'
  | 'campaign'
  | 'cash-day'
  | 'corrections'
  | 'payments'
  | 'conversations'

interface Filters {
  vendorId?: number | undefined
  [filter: string]: unknown
}

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Masks the search text, which can be a name or phone: the log is kept longer than personal data. */
const recorded = (field: string, value: unknown) => (field === 'search' ? '•••' : value)

/** Writes the audit entry of an export with its filters, before the first row is read. */
export async function auditExport(ctx: Ctx, list: ExportedList, { lang: _, ...filters }: Filters): Promise<void> {
  await emit(ctx, {
    name: 'list.exported',
    action: 'exported',
    resource: 'export',
    id: list,
    ...(filters.vendorId ? { vendorId: filters.vendorId } : {}),
    changes: Object.entries(filters).flatMap(([field, to]) =>
      isGiven(to) ? [{ field, from: null, to: recorded(field, to) }] : [],
    ),
  })
}
