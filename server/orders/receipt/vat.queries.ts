import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type listVat, VAT_ROWS, type VatKind, type VatRow } from '@qatra/contract/corrections'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { type Fils, fils, toBhd } from '@qatra/contract/lib/money'
import { STANDARD_VAT } from '@qatra/contract/lib/vat'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { creditNoteNumber, invoiceNumber } from '@qatra/contract/orders/receipts'
import type { Charges } from '@qatra/contract/orders/totals'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { dayCell, moneyCell, type Table, tableOf } from '../../lib/table-file.ts'
import { translatorFor } from '../../lib/translate.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import type { BillLine } from './tables.ts'
import { addVat, negative, type VatAmounts, type VatCell, vatOfForfeit, vatOfPaper, vatSums } from './vat-rules.ts'

const BATCH = 1000
const paperDay = `coalesce(day, timezone('Asia/Bahrain', issued_at)::date)`
const chosen = (day: string) => `where ($1::integer is null or vendor_id = $1) and ${day} between $2 and $3`

/**
 * Papers after `$4` to `$7`, in the order of days. An invoice from before the copies has the copy of its credit note, else
 * the order's items.
 */
const papersSql = statement(
  'vat-papers',
  `with papers as (
     select ${paperDay} as day, 1 as kind, vendor_id, number from receipts ${chosen(paperDay)}
     union all select ${paperDay}, 2, vendor_id, number from credit_notes ${chosen(paperDay)}
     union all select day, 3, vendor_id, id from ledger_entries
       ${chosen('day')} and ledger = 'bottles' and kind = 'lost' and due <> 0),
   batch as (select * from papers where (day, kind, vendor_id, number) > ($4::date, $5::integer, $6::integer, $7::integer)
     order by day, kind, vendor_id, number limit ${BATCH})
   select p.day::text as date, p.kind, p.vendor_id as "vendorId", p.number, coalesce(r.order_id, n.order_id) as "orderId",
     coalesce(r.bill, c.bill, n.bill)->'lines' as lines, coalesce(r.bill, c.bill, n.bill)->'totals' as charges,
     case when p.kind = 1 and r.bill is null and c.bill is null then (
       select jsonb_build_object('charges', jsonb_build_object('deliveryFee', o.delivery_fee), 'lines', (
         select jsonb_agg(jsonb_build_object('price', i.price, 'quantity', i.quantity, 'vatPercentage', i.vat_percentage))
         from order_items i where i.order_id = o.id and i.quantity > 0))
       from orders o where o.id = r.order_id) end as unkept,
     e.due, e.vat
   from batch p
   left join receipts r on p.kind = 1 and r.vendor_id = p.vendor_id and r.number = p.number
   left join credit_notes c on p.kind = 1 and c.vendor_id = p.vendor_id and c.invoice_number = p.number
   left join credit_notes n on p.kind = 2 and n.vendor_id = p.vendor_id and n.number = p.number
   left join ledger_entries e on p.kind = 3 and e.id = p.number
   order by p.day, p.kind, p.vendor_id, p.number`,
)

interface Content {
  lines: BillLine[] | null
  charges: Partial<Charges<number>> | null
}

interface Paper extends Content {
  date: string
  kind: 1 | 2 | 3
  vendorId: number
  number: number
  orderId: string | null
  unkept: Content | null
  due: Fils | null
  vat: Fils | null
}

type Filters = Omit<Parsed<typeof listVat>['query'], 'page'>
type Row = Omit<VatRow, 'net' | 'vat'> & VatAmounts & { isFirst: boolean }

const kinds = { 1: 'invoice', 2: 'creditNote', 3: 'forfeit' } as const satisfies Record<Paper['kind'], VatKind>
const numberOf = (paper: Paper) =>
  paper.kind === 1 ? invoiceNumber(paper) : paper.kind === 2 ? creditNoteNumber(paper) : `#${paper.number}`

function amountsOf({ kind, unkept, due, vat, ...copy }: Paper): VatAmounts[] {
  if (kind === 3) return [vatOfForfeit(fils(0 - (due ?? 0)), fils(vat ?? 0), STANDARD_VAT)]
  const { lines, charges } = unkept ?? copy
  const amounts = vatOfPaper(lines ?? [], charges ?? {})
  return kind === 2 ? amounts.map(negative) : amounts
}

const rowsOf = (paper: Paper): Row[] =>
  amountsOf(paper).map((amounts, i) => {
    const { date, vendorId, orderId } = paper
    return { vendorId, date, kind: kinds[paper.kind], number: numberOf(paper), orderId, ...amounts, isFirst: i === 0 }
  })

/** The rows of each batch of papers. @throws FORBIDDEN for a vendor out of reach */
async function* readBatches(ctx: Ctx, { from, to = bahrainDate(ctx.now), vendorId }: Filters): AsyncGenerator<Row[]> {
  const values = [vendorInReach(ctx.actor, vendorId || null), from ?? `${to.slice(0, 7)}-01`, to]
  let papers: Paper[]
  let last: readonly [string, number, number, number] = ['-infinity', 0, 0, 0]
  do {
    papers = await run<Paper>(ctx.db, papersSql, [...values, ...last])
    yield papers.flatMap(rowsOf)
    const { date, kind, vendorId: vendor, number } = papers.at(-1) ?? { date: '', kind: 0, vendorId: 0, number: 0 }
    last = [date, kind, vendor, number]
  } while (papers.length === BATCH)
}

const inBhd = <Amounts extends { net: Fils; vat: Fils }>({ net, vat, ...row }: Amounts) => {
  return { ...row, net: toBhd(net), vat: toBhd(vat) }
}
const shown = ({ isFirst: _, ...row }: Row): VatRow => inBhd(row)

export async function readVat(
  ctx: Ctx,
  { page, ...filters }: Parsed<typeof listVat>['query'],
): Promise<Output<typeof listVat>> {
  const rows: Row[] = []
  let [cells, total]: [VatCell[], number] = [[], 0]
  for await (const batch of readBatches(ctx, filters)) {
    rows.push(...batch.slice(Math.max(0, (page - 1) * VAT_ROWS - total), Math.max(0, page * VAT_ROWS - total)))
    total += batch.length
    cells = addVat([
      ...cells,
      ...batch.map(({ kind, rate, net, vat, isFirst }) => ({ kind, rate, net, vat, count: isFirst ? 1 : 0 })),
    ])
  }
  const { rates, kinds: byKind, ...sums } = vatSums(cells)
  return { rows: rows.map(shown), total, sums: { ...inBhd(sums), rates: rates.map(inBhd), kinds: byKind.map(inBhd) } }
}

const titles = {
  day: 'orderFile.corrections.day',
  number: 'orderFile.vat.number',
  kind: 'orderFile.corrections.kind',
  order: 'orderFile.corrections.order',
  rate: 'orderFile.vatRate',
  net: 'orderFile.net',
  vat: 'orderFile.vat',
} as const

export function exportedVat(ctx: Ctx, filters: Filters, lang: Lang): Table {
  const t = translatorFor(lang)
  async function* rows() {
    for await (const batch of readBatches(ctx, filters)) yield* batch.map(shown)
  }
  return tableOf({
    lang,
    rows: rows(),
    columns: {
      day: ({ date }) => dayCell(date),
      number: ({ number }) => number,
      kind: ({ kind }) => t(`orderFile.vat.${kind}`),
      order: ({ orderId }) => orderId && formatOrderId(orderId),
      rate: ({ rate }) => rate,
      net: ({ net }) => moneyCell(net),
      vat: ({ vat }) => moneyCell(vat),
    },
    titleOf: (column) => t(titles[column as keyof typeof titles]), // the columns above
  })
}
