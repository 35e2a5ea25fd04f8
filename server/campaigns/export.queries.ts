import type { Readable } from 'node:stream'
import { bahrainDate, bahrainTime } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import type { SendStatus } from '@qatra/contract/whatsapp/campaigns/campaigns'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { translatorFor } from '../lib/translate.ts'
import { nextSends } from './queries.ts'

const BATCH = 500
/** Streams the result per person of a campaign. */
export function exportSends(
  ctx: Pick<Ctx, 'db'>,
  id: string,
  filters: { status?: SendStatus | 'clicked' | undefined; search?: string | undefined },
  lang: Lang,
): Promise<Readable> {
  const t = translatorFor(lang)
  const time = (at: string | null) => at && `${bahrainDate(new Date(at))} ${bahrainTime(new Date(at))}`
  async function* rows() {
    let after = 0
    for (;;) {
      const batch = await nextSends(ctx, id, filters, after, BATCH)
      yield* batch
      const last = batch.at(-1)
      if (!last || batch.length < BATCH) return
      after = last.id
    }
  }
  return csvFile({
    rows: rows(),
    columns: {
      // Without the plus, which spreadsheets read as a formula.
      phone: ({ phone }) => phone.replace(/^\+/, ''),
      name: ({ name }) => name,
      status: ({ status }) => t(`campaignFile.status.${status}`),
      sent: ({ sentAt }) => time(sentAt),
      delivered: ({ deliveredAt }) => time(deliveredAt),
      read: ({ readAt }) => time(readAt),
      clicked: ({ clickedAt }) => time(clickedAt),
      reason: ({ errorCode, errorMessage }) => [errorCode, errorMessage].filter(Boolean).join(': ') || null,
    },
    titleOf: (column) => t(`campaignFile.${column}`),
  })
}
