import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Lang } from '@qatra/contract/lib/lang'
import { addFils, type Fils, fils, formatMoney, timesFils, vatOfLine, zeroFils } from '@qatra/contract/lib/money'
import { formatPhone } from '@qatra/contract/lib/phone'
import { isolated, leftToRight } from '@qatra/contract/lib/text'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import { paymentStatusOf, paymentWord } from '@qatra/contract/orders/order-status'
import type { ReceiptSize } from '@qatra/contract/orders/receipts'
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

/** `1-000042`: the vendor and the vendor's counter. */
export const receiptNumber = ({ vendorId, number }: { vendorId: number; number: number }) =>
  `${vendorId}-${String(number).padStart(6, '0')}`

/** The number without currency, which the column heads name. */
const amount = (sum: Fils) => formatMoney(sum, 'ar').split('\u00a0')[0] ?? ''
const rateText = (t: Translator, percent: number) =>
  percent === 0 ? t('receipt.zeroRated', { rate: leftToRight('0%') }) : leftToRight(`${percent}%`)

/** Without a number the paper is a delivery note. VAT applies if the seller is registered for it; only then is the receipt a tax invoice. */
function titleOf({
  isTest,
  isCancelled,
  hasNumber,
  hasVat,
}: Record<'isTest' | 'isCancelled' | 'hasNumber' | 'hasVat', boolean>) {
  if (isTest) return 'receipt.testTitle'
  if (!hasNumber) return isCancelled ? 'receipt.cancelledTitle' : 'receipt.noteTitle'
  return hasVat ? 'receipt.taxTitle' : 'receipt.title'
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
  | 'status'
  | 'paymentMethod'
  | 'paymentStatus'
  | 'promisedDate'
  | 'deliveredAt'
  | 'subtotal'
  | 'deliveryFee'
  | 'productVat'
  | 'total'
  | 'createdAt'
  | 'isTest'
>

export function receiptDocument(
  { order, items, receipt, seller, buyerVatNumber }: Omit<ReceiptOrder, 'order'> & { order: ShownOrder },
  { lang, size }: { lang: Lang; size: ReceiptSize },
) {
  const t = translatorFor(lang)
  const other = translatorFor(lang === 'ar' ? 'en' : 'ar')
  const number = receipt && receiptNumber(receipt)
  const { name, nameAr, address, addressAr, crNumber, vatNumber } = receipt?.seller ?? seller
  const title = titleOf({
    isTest: order.isTest,
    isCancelled: order.status === 'cancelled',
    hasNumber: receipt !== null,
    hasVat: vatNumber !== null,
  })
  const inLang = (text: string, arabic: string | null) => (lang === 'ar' && arabic?.trim() ? arabic : text)
  const joint = lang === 'ar' ? '، ' : ', '
  const receiver = [
    ...(order.receiverName ? [own(order.receiverName)] : []),
    ...(order.receiverPhone ? [leftToRight(formatPhone(order.receiverPhone))] : []),
  ]
  const word = paymentWord({ ...order, paymentStatus: paymentStatusOf(order.paymentStatus) })
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
      ].join(' · '),
      quantity: String(item.quantity),
      price: amount(price),
      times: leftToRight(`${item.quantity} × ${amount(price)}`),
      percent: item.vatPercentage,
      rate: rateText(t, item.vatPercentage),
      net: amount(net),
      netFils: net,
      vat: amount(vatOfLine(price, item.quantity, item.vatPercentage)),
      vatFils: vatOfLine(price, item.quantity, item.vatPercentage),
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
    stamp: order.status === 'cancelled' && receipt ? t('receipt.cancelled') : null,
    words: {
      title: t(title),
      titleOther: own(other(title)),
      total: t('receipt.total'),
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
      [t('receipt.customer'), own(order.customerName)],
      [t('receipt.phone'), leftToRight(formatPhone(order.phone))],
      [t('receipt.address'), own(order.address, joint)],
      ...(receiver.length > 0 ? [[t('receipt.receiver'), receiver.join(' ')] satisfies Pair] : []),
      ...(vatNumber && buyerVatNumber
        ? [[t('receipt.buyerVatNumber'), leftToRight(buyerVatNumber)] satisfies Pair]
        : []),
    ] satisfies Pair[],
    order: [
      [t('receipt.order'), orderIdInText(order.id)],
      [t('receipt.ordered'), formatDateTime(order.createdAt, lang)],
      order.deliveredAt
        ? [t('receipt.delivered'), formatDateTime(order.deliveredAt, lang)]
        : [t('receipt.promised'), slotWords(slotOf(order), lang, 'long')],
      ...(receipt ? [[t('receipt.issued'), formatDateTime(receipt.issuedAt, lang)] satisfies Pair] : []),
    ] satisfies Pair[],
    lines: lines.map(({ netFils: _, vatFils: __, percent: ___, ...line }) => line),
    rates: percents.map((percent) => [rateText(t, percent), ofRate(percent, 'netFils'), ofRate(percent, 'vatFils')]),
    sums: [
      [t('receipt.subtotal'), amount(fils(order.subtotal))],
      [t('receipt.fee'), amount(fils(order.deliveryFee))],
      [t('receipt.vatSum'), amount(fils(order.productVat))],
    ] satisfies Pair[],
    total: formatMoney(fils(order.total), lang),
    payment:
      word === 'paidCash' || word === 'onDelivery'
        ? t(`receipt.status.${word}`)
        : t('receipt.payment', {
            method: t(`receipt.method.${order.paymentMethod}`),
            status: t(`receipt.status.${word}`),
          }),
    thanks: t('receipt.thanks'),
    foot: `${t('receipt.brand')} · ${t('receipt.currency')}`,
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
