import type { Ctx } from '../platform/context.ts'
import { emit } from '../platform/events.ts'

export type ExportedList = 'orders' | 'customers' | 'products' | 'audit' | 'campaign'

interface Asked {
  vendorId?: number | undefined
  [filter: string]: unknown
}

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)

/** The log outlives whoever was searched for: it says that there was a search, and not for whom. */
const shown = (field: string, value: unknown) => (field === 'search' ? '•••' : value)

/** Whoever takes a list home is named in the audit log, with what was asked for; written before the first row is read. */
export async function noteExport(ctx: Ctx, list: ExportedList, { lang: _, ...filters }: Asked): Promise<void> {
  await emit(ctx, {
    name: 'list.exported',
    action: 'exported',
    resource: 'export',
    id: list,
    ...(filters.vendorId ? { vendorId: filters.vendorId } : {}),
    changes: Object.entries(filters).flatMap(([field, to]) =>
      isGiven(to) ? [{ field, from: null, to: shown(field, to) }] : [],
    ),
  })
}
