import type { Readable } from 'node:stream'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import { plainAmount } from '@qatra/contract/lib/money'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { translatorFor } from '../lib/translate.ts'
import { type Filters, readCustomers } from './queries.ts'

/** The customers of the list as a file, with the same filters. */
export function exportCustomers(ctx: Ctx, filters: Filters, lang: Lang): Promise<Readable> {
  const t = translatorFor(lang)
  return csvFile({
    rows: readCustomers(ctx, filters),
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      // Without the plus, which spreadsheets take for the start of a formula.
      phone: ({ phone }) => phone.replace(/^\+/, ''),
      orders: ({ orderCount }) => orderCount,
      cancelled: ({ cancelledCount }) => cancelledCount,
      spend: ({ spend }) => plainAmount(spend),
      lastOrder: ({ lastOrderAt }) => lastOrderAt && bahrainDate(new Date(lastOrderAt)),
      consent: ({ marketingConsent }) => t(marketingConsent ? 'peopleFile.yes' : 'peopleFile.no'),
      tags: ({ tags }) => tags.join('; '),
      since: ({ createdAt }) => bahrainDate(new Date(createdAt)),
    },
    titleOf: (column) => t(`peopleFile.${column}`),
  })
}
