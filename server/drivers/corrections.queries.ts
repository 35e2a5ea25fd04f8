import { bahrainDate } from '@qatra/contract/calendar/calendar'
import {
  type Correction,
  type DriverDifferences,
  type listCorrections,
  type listPaymentSums,
  MOST_CORRECTIONS,
  type PaymentSums,
} from '@qatra/contract/corrections'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { addFils, type Fils, fromBhd, toBhd, zeroFils } from '@qatra/contract/lib/money'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { type PaymentMeans, paymentMeans } from '@qatra/contract/orders/payments'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { moneyKinds } from '../ledger/queries.ts'
import { dayCell, moneyCell, type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { vendorInReach } from '../vendors/policy.ts'

/**
 * What the office records as the difference of a handover is a correction without an order. A payment that was a mistake of
 * the office (`reversalOf`) or was recorded twice (`doubleOf`) is taken back, not refunded.
 */
const correctionsSql = statement(
  'ledger-corrections',
  `with entries as (
     select e.*, case
       when e.kind = 'written-off' then 'writeOff'
       when e.kind in ('payment', 'refunded') and e.key not like 'reversed:%' and e.key not like 'doubled:%' then 'refund'
       when e.kind = 'correction' and e.holder = 'driver' and e.order_id is null and e.amount < 0 then 'shortage'
       else 'correction' end as what
     from ledger_entries e
     where e.ledger = 'money' and ($1::integer is null or e.vendor_id = $1) and e.day between $2 and $3
       and (e.kind in ('correction', 'written-off') or e.kind in ('payment', 'refunded') and e.amount < 0)
     order by e.day desc, e.happened_at desc, e.id desc limit ${MOST_CORRECTIONS})
   select e.id, e.vendor_id as "vendorId", e.day::text as date, e.happened_at as at, e.what as kind, e.means, e.amount, e.order_id as "orderId",
     nullif(e.notes, '') as reason, json_build_object('id', p.id, 'name', coalesce(p.name, p.phone)) as person,
     json_build_object('id', b.id, 'name', coalesce(b.name, b.phone)) as "recordedBy",
     case e.holder when 'driver' then json_build_object('id', d.id, 'name', coalesce(d.name, d.phone)) end as driver
   from entries e
   left join users p on p.id = case e.what when 'shortage' then e.holder_id else e.created_by end
   left join users b on b.id = e.created_by
   left join users d on d.id = e.holder_id
   order by e.day desc, e.happened_at desc, e.id desc`,
)

interface Row extends Omit<Correction, 'at' | 'amount'> {
  at: Date
  amount: Fils
}

type Filters = Parsed<typeof listCorrections>['query']

/** Values of `$1` to `$3`: the vendor, or null for all, and the days. @throws FORBIDDEN for a vendor out of reach */
const valuesOf = (ctx: Ctx, { from, to = bahrainDate(ctx.now), vendorId }: Filters) => [
  vendorInReach(ctx.actor, vendorId || null),
  from ?? `${to.slice(0, 7)}-01`,
  to,
]

export async function readCorrections(ctx: Ctx, filters: Filters): Promise<Output<typeof listCorrections>> {
  const found = await run<Row>(ctx.db, correctionsSql, valuesOf(ctx, filters))
  const rows = found.map(({ at, amount, ...row }) => ({ ...row, at: at.toISOString(), amount: toBhd(amount) }))
  return { rows, drivers: differencesOf(rows), sums: sumsOf(rows) }
}

const totalOf = (rows: readonly Correction[]) => toBhd(addFils(zeroFils, ...rows.map(({ amount }) => fromBhd(amount))))

function differencesOf(rows: readonly Correction[]): DriverDifferences[] {
  const counted = rows.filter(({ driver, orderId, kind }) => driver !== null && orderId === null && kind !== 'refund')
  return [...Map.groupBy(counted, ({ driver }) => driver?.id).values()]
    .flatMap((own) => {
      const [{ driver = null, vendorId = 0 } = {}] = own
      if (!driver) return []
      const ofKind = (wanted: Correction['kind']) => own.filter(({ kind }) => kind === wanted)
      const byDay = Map.groupBy(
        own.filter(({ kind }) => kind !== 'writeOff'),
        ({ date }) => date,
      )
      const days = [...byDay].map(([date, ofDay]) => ({ date, amount: totalOf(ofDay) }))
      return [
        {
          driver,
          vendorId,
          days: days.filter(({ amount }) => amount !== 0).sort((a, b) => (a.date < b.date ? -1 : 1)),
          shortage: totalOf(ofKind('shortage')),
          over: totalOf(ofKind('correction')),
          writeOff: totalOf(ofKind('writeOff')),
          left: totalOf(own),
        },
      ]
    })
    .sort((a, b) => a.shortage - b.shortage || (a.driver.id ?? 0) - (b.driver.id ?? 0))
}

function sumsOf(rows: readonly Correction[]) {
  const byPerson = Map.groupBy(rows, ({ person }) => person.id)
  return [...byPerson.values()]
    .flatMap((own) => {
      const [first] = own
      if (!first) return []
      const sumOf = (wanted: Correction['kind']) => totalOf(own.filter(({ kind }) => kind === wanted))
      const sums = {
        shortage: sumOf('shortage'),
        writeOff: sumOf('writeOff'),
        correction: sumOf('correction'),
        refund: sumOf('refund'),
      }
      return [{ person: first.person, count: own.length, ...sums }]
    })
    .sort((a, b) => b.count - a.count || (a.person.id ?? 0) - (b.person.id ?? 0))
}

const paymentsSql = statement(
  'ledger-payment-sums',
  `select json_build_object('kind', s.holder, 'id', s.holder_id, 'name', coalesce(u.name, u.phone)) as holder,
     sum(s.count)::int as count, sum(s.amount)::float8 as total, json_object_agg(s.means, s.amount) as means
   from (
     select entry.holder, entry.holder_id, entry.means, count(*) as count, sum(entry.amount)::float8 as amount
     from ledger_entries entry
     where entry.ledger = 'money' and ($1::integer is null or entry.vendor_id = $1) and entry.day between $2 and $3
       and entry.order_id is not null and entry.kind in (${moneyKinds.map((kind) => `'${kind}'`).join(', ')})
     group by 1, 2, 3
   ) s
   left join users u on u.id = s.holder_id
   group by s.holder, s.holder_id, u.id order by total desc, s.holder_id`,
)

interface SumRow {
  holder: PaymentSums['holder']
  count: number
  total: Fils
  means: Partial<Record<PaymentMeans, Fils>>
}

export async function readPaymentSums(ctx: Ctx, filters: Filters): Promise<Output<typeof listPaymentSums>> {
  const found = await run<SumRow>(ctx.db, paymentsSql, valuesOf(ctx, filters))
  const bhdOf = (amountOf: (means: PaymentMeans) => Fils) =>
    Object.fromEntries(
      paymentMeans.flatMap((means) => {
        const amount = amountOf(means)
        return amount === 0 ? [] : [[means, toBhd(amount)] as const]
      }),
    )
  const sumOf = (amountOf: (row: SumRow) => Fils) => addFils(zeroFils, ...found.map(amountOf))
  return {
    rows: found.map(({ total, means, ...row }) => ({
      ...row,
      total: toBhd(total),
      means: bhdOf((one) => means[one] ?? zeroFils),
    })),
    sums: {
      count: found.reduce((sum, { count }) => sum + count, 0),
      total: toBhd(sumOf(({ total }) => total)),
      means: bhdOf((one) => sumOf(({ means }) => means[one] ?? zeroFils)),
    },
  }
}

export function exportedCorrections(rows: readonly Correction[], lang: Lang): Table {
  const t = translatorFor(lang)
  return tableOf({
    lang,
    rows,
    columns: {
      day: ({ date }) => dayCell(date),
      person: ({ person }) => person.name,
      kind: ({ kind }) => t(`orderFile.correction.${kind}`),
      amount: ({ amount }) => moneyCell(amount),
      order: ({ orderId }) => orderId && formatOrderId(orderId),
      reason: ({ reason }) => reason,
      recordedBy: ({ recordedBy }) => recordedBy.name,
      driver: ({ driver }) => driver?.name ?? null,
    },
    titleOf: (column) => t(`orderFile.corrections.${column}`),
  })
}

/** Columns of a file with one amount for each means. */
export const meansColumns = <Row>(meansOf: (row: Row) => PaymentSums['means'] | undefined) =>
  Object.fromEntries(
    paymentMeans.flatMap((one) =>
      one === 'booklet' ? [] : [[one, (row: Row) => moneyCell(meansOf(row)?.[one] ?? 0)] as const],
    ),
  )

export function exportedPaymentSums(rows: readonly PaymentSums[], lang: Lang): Table {
  const t = translatorFor(lang)
  return tableOf({
    lang,
    rows,
    columns: {
      person: ({ holder }) => holder.name,
      holder: ({ holder }) => t(`orderFile.cash.${holder.kind}`),
      count: ({ count }) => count,
      ...meansColumns(({ means }: PaymentSums) => means),
      total: ({ total }) => moneyCell(total),
    },
    titleOf: (column) => t(`orderFile.cash.${column}`),
  })
}
