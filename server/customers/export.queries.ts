import type { Readable } from 'node:stream'
import { bahrainDate } from '@qatra/contract/calendar'
import type { Customer } from '@qatra/contract/customers'
import type { Lang } from '@qatra/contract/lang'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { translatorFor } from '../lib/translate.ts'
import { type Filters, readCustomers } from './queries.ts'

const columns = [
  'id',
  'name',
  'phone',
  'orders',
  'cancelled',
  'spend',
  'lastOrder',
  'consent',
  'tags',
  'since',
] as const

/** The customers of the list as a file, with the same filters. */
export function exportCustomers(ctx: Ctx, filters: Filters, lang: Lang): Promise<Readable> {
  const t = translatorFor(lang)
  const cellsOf = (row: Customer): Record<(typeof columns)[number], string | number | null> => ({
    id: row.id,
    name: row.name,
    // Without the plus, which spreadsheets take for the start of a formula.
    phone: row.phone.replace(/^\+/, ''),
    orders: row.orderCount,
    cancelled: row.cancelledCount,
    spend: row.spend.toFixed(3),
    lastOrder: row.lastOrderAt && bahrainDate(new Date(row.lastOrderAt)),
    consent: t(row.marketingConsent ? 'peopleFile.yes' : 'peopleFile.no'),
    tags: row.tags.join('; '),
    since: bahrainDate(new Date(row.createdAt)),
  })
  async function* rows() {
    for await (const row of readCustomers(ctx, filters)) {
      const cells = cellsOf(row)
      yield columns.map((column) => cells[column])
    }
  }
  return csvFile(
    columns.map((column) => t(`peopleFile.${column}`)),
    rows(),
  )
}
