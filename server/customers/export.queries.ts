import type { Lang } from '@qatra/contract/lib/lang'
import type { Ctx } from '../database/context.ts'
import { dayOfCell, moneyCell, type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { type Filters, readCustomers } from './queries.ts'

/** The customers of the list as a file, with the same filters. */
export function exportCustomers(ctx: Ctx, filters: Filters, lang: Lang): Table {
  const t = translatorFor(lang)
  return tableOf({
    lang,
    rows: readCustomers(ctx, filters),
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      // Without the plus, which spreadsheets take for the start of a formula.
      phone: ({ phone }) => phone.replace(/^\+/, ''),
      orders: ({ orderCount }) => orderCount,
      cancelled: ({ cancelledCount }) => cancelledCount,
      spend: ({ spend }) => moneyCell(spend),
      lastOrder: ({ lastOrderAt }) => dayOfCell(lastOrderAt),
      consent: ({ marketingConsent }) => t(marketingConsent ? 'peopleFile.yes' : 'peopleFile.no'),
      tags: ({ tags }) => tags.join('; '),
      since: ({ createdAt }) => dayOfCell(createdAt),
    },
    titleOf: (column) => t(`peopleFile.${column}`),
  })
}
