import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Lang } from '@qatra/contract/lib/lang'
import { addFils, type Fils, fils, formatMoney, fromBhd, timesFils, zeroFils } from '@qatra/contract/lib/money'
import { formatPhone } from '@qatra/contract/lib/phone'
import { isolated, leftToRight } from '@qatra/contract/lib/text'
import { type DoorCount, isCountedOtherwise } from '@qatra/contract/my-bottles'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import { paymentStatusOf, paymentWord } from '@qatra/contract/orders/order-status'
import { creditNoteNumber, invoiceNumber, type ReceiptSize } from '@qatra/contract/orders/receipts'
import { type OrderTotals, sumsOf } from '@qatra/contract/orders/totals'
import { quantityText } from '@qatra/contract/products/unit-text'
import { type Translator, translatorFor } from '../../lib/translate.ts'
import type { ReceiptOrder } from './queries.ts'

type Pair = readonly [term: string, value: string]

/** All texts of a receipt; the template only lays them out. */
export type ReceiptDocument = ReturnType<typeof receiptDocument>

/** Isolates text of people in its own direction; one line, without control characters. */
const own = (text: string, joint = ' ') =>
  isolated(
    text
      .toWellFormed()
      .split(/[\n\r\u2028\u2029]+/)
      .map((line) => line.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '').trim())
      .filter((line) => line !== '')
      .join(joint),
  )

/** Between the parts of a line; none begins with it. */
const dot = '\u00a0· '

/** Name of the file. */
export const paperName = ({ order, receipt, creditNote, isCreditNote }: ReceiptOrder) =>
  isCreditNote && creditNote
    ? `credit-note-${creditNoteNumber(creditNote)}`
    : receipt
      ? `receipt-${invoiceNumber(receipt)}`
      : `delivery-note-${order.id}`

/** The number without currency, which the column heads name. */
const amount = (sum: Fils) => formatMoney(sum, 'ar').split('\u00a0')[0] ?? ''
const rateText = (t: Translator, percent: number) =>
  percent === 0 ? t('receipt.zeroRated', { rate: leftToRight('0%') }) : leftToRight(`${percent}%`)

/** Without a number the paper is a delivery note. VAT applies if the seller is registered for it; only then is the receipt a tax invoice. */
function titleOf({ order, receipt, isCreditNote }: PaperInput, hasVat: boolean) {
  if (order.isTest) return 'receipt.testTitle'
  if (!receipt) return order.status === 'cancelled' ? 'receipt.cancelledTitle' : 'receipt.noteTitle'
  if (isCreditNote) return 'receipt.creditTitle'
  if (hasVat) return 'receipt.taxTitle'
  // Those from before the copies were called receipts.
  return receipt.bill ? 'receipt.invoiceTitle' : 'receipt.title'
}

/** The columns of an order that a receipt shows. */
type ShownOrder = Pick<
  ReceiptOrder['order'],
  | 'id'
  | 'vendorId'
  | 'vendorName'
  | 'vendorNameAr'
  | 'customerName'
  | 'phone'
  | 'receiverName'
  | 'receiverPhone'
  | 'address'
  | 'companyName'
  | 'crNumber'
  | 'poNumber'
  | 'branch'
  | 'status'
  | 'paymentMethod'
  | 'paymentStatus'
  | 'promisedDate'
  | 'deliveredAt'
  | 'createdAt'
  | 'isTest'
  | keyof OrderTotals
>

type PaperInput = Omit<ReceiptOrder, 'order'> & { order: ShownOrder }

export function receiptDocument(input: PaperInput, { lang, size }: { lang: Lang; size: ReceiptSize }) {
  const { order, items, bottles, receipt, creditNote, isCreditNote, seller, buyerVatNumber, paid } = input
  const t = translatorFor(lang)
  const other = translatorFor(lang === 'ar' ? 'en' : 'ar')
  const invoice = receipt && invoiceNumber(receipt)
  const credit = creditNote && creditNoteNumber(creditNote)
  const number = isCreditNote ? credit : invoice
  const issuedAt = (isCreditNote ? creditNote : receipt)?.issuedAt
  const { name, nameAr, address, addressAr, crNumber, vatNumber } = receipt?.seller ?? seller
  const title = titleOf(input, vatNumber !== null)
  const inLang = (text: string, arabic: string | null) => (lang === 'ar' && arabic?.trim() ? arabic : text)
  const joint = lang === 'ar' ? '، ' : ', '
  const receiver = [
    ...(order.receiverName ? [own(order.receiverName)] : []),
    ...(order.receiverPhone ? [leftToRight(formatPhone(order.receiverPhone))] : []),
  ]
  const delivered = items.filter(({ quantity }) => quantity > 0)
  const lines = delivered.map((item, i) => {
    const price = fils(item.price)
    const net = timesFils(price, item.quantity)
    const second = lang === 'ar' ? item.name : item.nameAr
    const first = inLang(item.name, item.nameAr)
    return {
      n: String(i + 1),
      name: own(first),
      other: [
        ...(second?.trim() && second !== first ? [own(second)] : []),
        own(quantityText({ t, lang }, item, item.quantity)),
      ].join(dot),
      quantity: String(item.quantity),
      price: amount(price),
      times: leftToRight(`${item.quantity} × ${amount(price)}`),
      percent: item.vatPercentage,
      rate: rateText(t, item.vatPercentage),
      net: amount(net),
      netFils: net,
      vat: amount(fils(item.vat)),
      vatFils: fils(item.vat),
    }
  })
  const percents = [...new Set(lines.map((line) => line.percent))].sort((a, b) => b - a)
  const ofRate = (percent: number, part: 'netFils' | 'vatFils') =>
    amount(addFils(zeroFils, ...lines.filter((line) => line.percent === percent).map((line) => line[part])))
  return {
    lang,
    size,
    title: number ? `${t(title)} ${number}` : t(title),
    number: number && leftToRight(number),
    stamp: stampOf(),
    words: {
      title: t(title),
      titleOther: own(other(title)),
      total: t(isCreditNote ? 'receipt.creditTotal' : 'totals.total'),
      summary: t('receipt.vatSummary'),
      page: t('receipt.page', { page: '@this', pages: '@all' }),
      rates: [t('receipt.rate'), t('receipt.beforeVat'), t('receipt.vat')],
      columns: ['#', ...columns.map((column) => t(column))],
    },
    seller: {
      name,
      brand: own(inLang(order.vendorName, order.vendorNameAr)),
      lines: [
        own(inLang(name, nameAr)),
        ...(address ? [own(inLang(address, addressAr), joint)] : []),
        ...(crNumber ? [t('receipt.crNumber', { number: leftToRight(crNumber) })] : []),
        ...(vatNumber ? [t('receipt.vatNumber', { number: leftToRight(vatNumber) })] : []),
      ],
    },
    customer: [
      ...(order.companyName ? [[t('receipt.company'), own(order.companyName)] satisfies Pair] : []),
      [t('receipt.customer'), own(order.customerName)],
      ...(vatNumber && buyerVatNumber
        ? [[t('receipt.buyerVatNumber'), leftToRight(buyerVatNumber)] satisfies Pair]
        : []),
      ...buyerFacts('crNumber'),
      [t('receipt.phone'), leftToRight(formatPhone(order.phone))],
      [t('receipt.address'), own(order.address, joint)],
      ...(receiver.length > 0 ? [[t('receipt.receiver'), receiver.join(' ')] satisfies Pair] : []),
      ...buyerFacts('poNumber', 'branch'),
    ] satisfies Pair[],
    order: [
      [t('receipt.order'), orderIdInText(order.id)],
      [t('receipt.ordered'), formatDateTime(order.createdAt, lang)],
      order.deliveredAt
        ? [t('receipt.delivered'), formatDateTime(order.deliveredAt, lang)]
        : [t('receipt.promised'), slotWords(slotOf(order), lang, 'long')],
      ...emptiesFacts(),
      ...(issuedAt ? [[t('receipt.issued'), formatDateTime(issuedAt, lang)] satisfies Pair] : []),
      ...(isCreditNote && receipt && invoice
        ? ([
            [t('receipt.creditedInvoice'), leftToRight(invoice)],
            [t('receipt.invoiceDate'), formatDateTime(receipt.issuedAt, lang)],
          ] satisfies Pair[])
        : []),
    ] satisfies Pair[],
    lines: lines.map(({ netFils: _, vatFils: __, percent: ___, ...line }) => line),
    rates: percents.map((percent) => [rateText(t, percent), ofRate(percent, 'netFils'), ofRate(percent, 'vatFils')]),
    sums: sumsOf(order).map(({ kind, amount: sum }): Pair => {
      return [t(kind === 'deposit' ? 'receipt.deposit' : `totals.${kind}`), amount(fils(sum))]
    }),
    total: formatMoney(fils(order.total), lang),
    // A copy does not know what was paid for it.
    payment: creditNote ? null : paymentText(),
    // What is delivered already has nobody at the door to sign.
    signature:
      title === 'receipt.noteTitle' && order.status !== 'delivered'
        ? {
            title: t('receipt.received'),
            lines: [t('receipt.receivedBy'), t('receipt.signature'), t('receipt.receivedOn')],
          }
        : null,
    thanks: isCreditNote && invoice ? t('receipt.creditReason', { number: leftToRight(invoice) }) : t('receipt.thanks'),
    foot: `${t('receipt.brand')} · ${t('receipt.currency')}`,
  }

  function buyerFacts(...names: ('crNumber' | 'poNumber' | 'branch')[]): Pair[] {
    return names.flatMap((name) => {
      const value = order[name]
      return value ? [[t(`receipt.buyer.${name}`), own(value)]] : []
    })
  }

  /** What the driver collects; after the delivery what came back, and what follows if it was counted otherwise. */
  function emptiesFacts(): Pair[] {
    const moved = bottles.filter(
      ({ expected, returned, broken, foreign }) => expected + (returned ?? 0) + broken + foreign > 0,
    )
    if (moved.length === 0 || order.status === 'cancelled') return []
    const texts = moved.map((count) => {
      const name = moved.length > 1 ? `${own(inLang(count.name, count.nameAr))}: ` : ''
      return name + [countText(count), ...(isCountedOtherwise(count) ? differenceTexts(count) : [])].join(dot)
    })
    return [[t('receipt.empties'), texts.join(joint)]]
  }

  function countText({ expected, returned }: DoorCount): string {
    if (returned === null) return t('receipt.emptiesToCollect', { count: expected })
    return t(returned === expected ? 'receipt.emptiesBack' : 'receipt.emptiesOtherwise', { count: returned, expected })
  }

  function differenceTexts({ broken, foreign, charged, credit, by }: DoorCount): string[] {
    const money = (bhd: number) => leftToRight(amount(fromBhd(Math.abs(bhd))))
    return [
      ...(broken > 0 ? [t('receipt.emptiesBroken', { count: broken })] : []),
      ...(foreign > 0 ? [t('receipt.emptiesForeign', { count: foreign })] : []),
      ...(by ? [t(by.isDriver ? 'receipt.countedByDriver' : 'receipt.countedByOffice')] : []),
      ...(charged === 0
        ? []
        : [t(charged > 0 ? 'receipt.depositAdded' : 'receipt.depositLess', { amount: money(charged) })]),
      ...(credit === 0
        ? []
        : [t(credit > 0 ? 'receipt.depositCredit' : 'receipt.depositOwed', { amount: money(credit) })]),
    ]
  }

  function stampOf(): string | null {
    if (!receipt || isCreditNote) return null
    if (credit) return t('receipt.credited', { number: leftToRight(credit) })
    return order.status === 'cancelled' ? t('receipt.cancelled') : null
  }

  function paymentText(): string {
    const word = paymentWord({ ...order, paymentStatus: paymentStatusOf(order.paymentStatus) })
    const status = t(`receipt.status.${word}`)
    const method = paid.length > 0 ? meansText() : t(`receipt.method.${order.paymentMethod}`)
    return word === 'onDelivery' && paid.length === 0 ? status : t('receipt.payment', { method, status })
  }

  /** The sums are left out where one means paid all of it. */
  function meansText(): string {
    const isWhole = paid.length === 1 && paid[0]?.amount === order.total
    return paid
      .map(({ means, amount: sum }) => `${t(`receipt.means.${means}`)}${isWhole ? '' : ` ${leftToRight(amount(sum))}`}`)
      .join(joint)
  }
}

const columns = [
  'receipt.product',
  'receipt.quantity',
  'receipt.price',
  'receipt.rate',
  'receipt.vat',
  'receipt.amount',
] as const
