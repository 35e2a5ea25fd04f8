import type { Readable } from 'node:stream'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type Correction, correctionKinds, type listCorrections, MOST_CORRECTIONS } from '@qatra/contract/corrections'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { addFils, type Fils, fromBhd, toBhd, zeroFils } from '@qatra/contract/lib/money'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { csvFile } from '../lib/csv.ts'
import { translatorFor } from '../lib/translate.ts'
import { vendorInReach } from '../vendors/policy.ts'

/**
 * What the office records as the difference of a handover is a correction without an order. A payment that was a mistake of
 * the office is reversed (`reversalOf`), not refunded.
 */
const correctionsSql = statement(
  'ledger-corrections',
  `with entries as (
     select e.*, case
       when e.kind = 'payment' and e.key not like 'reversed:%' then 'refund'
       when e.kind = 'correction' and e.holder = 'driver' and e.order_id is null and e.amount < 0 then 'shortage'
       else 'correction' end as what
     from ledger_entries e
     where e.ledger = 'money' and ($1::integer is null or e.vendor_id = $1) and e.day between $2 and $3
       and (e.kind = 'correction' or e.kind = 'payment' and e.amount < 0)
     order by e.day desc, e.happened_at desc, e.id desc limit ${MOST_CORRECTIONS})
   select e.id, e.day::text as date, e.happened_at as at, e.what as kind, e.means, e.amount, e.order_id as "orderId",
     nullif(e.notes, '') as reason, json_build_object('id', p.id, 'name', coalesce(p.name, p.phone)) as person,
     json_build_object('id', b.id, 'name', coalesce(b.name, b.phone)) as "recordedBy"
   from entries e
   left join users p on p.id = case e.what when 'shortage' then e.holder_id else e.created_by end
   left join users b on b.id = e.created_by
   order by e.day desc, e.happened_at desc, e.id desc`,
)

interface Row extends Omit<Correction, 'at' | 'amount'> {
  at: Date
  amount: Fils
}

/** @throws FORBIDDEN for a vendor out of reach */
export async function readCorrections(
  ctx: Ctx,
  { from, to = bahrainDate(ctx.now), vendorId }: Parsed<typeof listCorrections>['query'],
): Promise<Output<typeof listCorrections>> {
  const reach = vendorInReach(ctx.actor, vendorId || null)
  const found = await run<Row>(ctx.db, correctionsSql, [reach, from ?? `${to.slice(0, 7)}-01`, to])
  const rows = found.map(({ at, amount, ...row }) => ({ ...row, at: at.toISOString(), amount: toBhd(amount) }))
  return { rows, sums: sumsOf(rows) }
}

function sumsOf(rows: readonly Correction[]) {
  const byPerson = Map.groupBy(rows, ({ person }) => person.id)
  const sumOf = (own: readonly Correction[], wanted: Correction['kind']) =>
    toBhd(addFils(zeroFils, ...own.filter(({ kind }) => kind === wanted).map(({ amount }) => fromBhd(amount))))
  const [shortage, correction, refund] = correctionKinds
  return [...byPerson.values()]
    .flatMap((own) => {
      const [first] = own
      if (!first) return []
      const sums = {
        shortage: sumOf(own, shortage),
        correction: sumOf(own, correction),
        refund: sumOf(own, refund),
      }
      return [{ person: first.person, count: own.length, ...sums }]
    })
    .sort((a, b) => b.count - a.count || (a.person.id ?? 0) - (b.person.id ?? 0))
}

export function exportedCorrections(rows: readonly Correction[], lang: Lang): Promise<Readable> {
  const t = translatorFor(lang)
  return csvFile({
    rows,
    columns: {
      day: ({ date }) => date,
      person: ({ person }) => person.name,
      kind: ({ kind }) => t(`orderFile.correction.${kind}`),
      amount: ({ amount }) => amount,
      order: ({ orderId }) => orderId && formatOrderId(orderId),
      reason: ({ reason }) => reason,
      recordedBy: ({ recordedBy }) => recordedBy.name,
    },
    titleOf: (column) => t(`orderFile.corrections.${column}`),
  })
}
