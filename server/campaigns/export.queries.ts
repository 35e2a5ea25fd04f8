import type { Readable } from 'node:stream'
import { bahrainDate, bahrainTime } from '@qatra/contract/calendar'
import type { Lang } from '@qatra/contract/lang'
import type { SendStatus } from '@qatra/contract/whatsapp-campaigns'
import type { Send } from '@qatra/contract/whatsapp-sends'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { translatorFor } from '../lib/translate.ts'
import { nextSends } from './queries.ts'

const BATCH = 500
const columns = ['phone', 'name', 'status', 'sent', 'delivered', 'read', 'clicked', 'reason'] as const

/** Streams the result per person of a campaign. */
export function exportSends(
  ctx: Pick<Ctx, 'db'>,
  id: string,
  filters: { status?: SendStatus | 'clicked' | undefined; search?: string | undefined },
  lang: Lang,
): Promise<Readable> {
  const t = translatorFor(lang)
  const time = (at: string | null) => at && `${bahrainDate(new Date(at))} ${bahrainTime(new Date(at))}`
  const cellsOf = (send: Send): Record<(typeof columns)[number], string | null> => ({
    // Without the plus, which spreadsheets read as a formula.
    phone: send.phone.replace(/^\+/, ''),
    name: send.name,
    status: t(`campaignFile.status.${send.status}`),
    sent: time(send.sentAt),
    delivered: time(send.deliveredAt),
    read: time(send.readAt),
    clicked: time(send.clickedAt),
    reason: [send.errorCode, send.errorMessage].filter(Boolean).join(': ') || null,
  })
  async function* rows() {
    let after = 0
    for (;;) {
      const batch = await nextSends(ctx, id, filters, after, BATCH)
      for (const send of batch) {
        const cells = cellsOf(send)
        yield columns.map((column) => cells[column])
      }
      const last = batch.at(-1)
      if (!last || batch.length < BATCH) return
      after = last.id
    }
  }
  return csvFile(
    columns.map((column) => t(`campaignFile.${column}`)),
    rows(),
  )
}
