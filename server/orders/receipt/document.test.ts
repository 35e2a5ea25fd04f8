import { type Fils, fils } from '@qatra/contract/lib/money'
import { leftToRight } from '@qatra/contract/lib/text'
import { type BuyerTexts, noBuyer } from '@qatra/contract/orders/buyer'
import type { OrderStatus, PaymentStatus } from '@qatra/contract/orders/order-status'
import { describe, expect, it } from 'vitest'
import { receiptDocument } from './document.ts'
import type { ReceiptOrder } from './queries.ts'
import type { Bill } from './tables.ts'

const at = new Date('2026-11-21T07:42:00Z')
const base = {
  id: '9HXR4TVCM2KE7QWA',
  vendorId: 1,
  vendorName: 'Spring',
  vendorNameAr: null,
  customerName: 'Noura',
  phone: '+97336000006',
  receiverName: null,
  receiverPhone: null,
  address: 'Seef',
  status: 'delivered' as const,
  paymentMethod: 'cash' as const,
  paymentStatus: 'paid' as const,
  promisedDate: '2026-11-22',
  deliveredAt: at,
  subtotal: fils(1000),
  deliveryFee: fils(500),
  productVAT: fils(100),
  deposit: fils(0),
  total: fils(1600),
  createdAt: at,
  isTest: false,
  ...noBuyer,
}
const plain = {
  name: 'Spring W.L.L.',
  nameAr: 'شركة الينبوع',
  address: 'Building 7',
  addressAr: 'مبنى 7',
  crNumber: '1-1',
  vatNumber: null,
}
const registered = { ...plain, vatNumber: '200001234500002' }

const totals = { subtotal: 1000, deliveryFee: 500, productVAT: 100, deposit: 0, total: 1600 }
const copy: Bill = { lines: [], totals, deliveredAt: null }

function documentOf({
  seller = plain,
  hasNumber = true,
  buyer = null,
  bill = null,
  credited = null,
  paid = [],
  items = [],
  bottles = [],
  ...more
}: {
  seller?: typeof plain | typeof registered
  hasNumber?: boolean
  buyer?: string | null
  bill?: Bill | null
  /** Which of the papers after the delivery was taken back. */
  credited?: 'invoice' | 'note' | null
  paid?: ReceiptOrder['paid']
  items?: ReceiptOrder['items']
  bottles?: ReceiptOrder['bottles']
  deposit?: Fils
  status?: OrderStatus
  paymentStatus?: PaymentStatus
  total?: Fils
  isTest?: boolean
} & Partial<BuyerTexts>) {
  const order = { ...base, ...more }
  const copies = { bill, buyer: null, day: null, issuedAt: at }
  const numbered = { orderId: base.id, vendorId: 1, number: 1, ...copies }
  const receipt = { ...numbered, seller, buyerVatNumber: buyer }
  const found = {
    order,
    items,
    bottles,
    receipt: hasNumber ? receipt : null,
    creditNote: credited && { ...numbered, bill: copy, invoiceNumber: 1, number: 7 },
    isCreditNote: credited === 'note',
    seller,
    buyerVatNumber: buyer,
    paid,
  }
  return (lang: 'ar' | 'en') => receiptDocument(found, { lang, size: 'a4' })
}

it('has the deposit of bottles without VAT below its lines, which say that they are exchanged', () => {
  const gallons = {
    name: 'Gallon',
    nameAr: null,
    size: '5 gallon',
    price: 800,
    vatPercentage: 10,
    quantity: 4,
    vat: 320,
  }
  const unit = {
    inventoryUnit: null,
    inventoryUnitAr: null,
    unitsPerInventoryUnit: 1,
    bottleTerms: 'exchange' as const,
  }
  const { lines, sums, rates } = documentOf({
    seller: registered,
    items: [{ ...gallons, ...unit }],
    deposit: fils(4000),
  })('en')
  expect(lines[0]?.other).toContain('4 gallons (exchange)')
  expect(sums.at(-1)).toEqual(['Bottle deposit (refundable, no VAT)', '4.000'])
  expect(rates).toEqual([[expect.stringContaining('10%'), '3.200', '0.320']])
})

it('has the empties to collect, and after the delivery what came back otherwise and what followed', () => {
  const count = {
    typeId: 1,
    name: 'Gallon',
    nameAr: 'غالون',
    expected: 4,
    broken: 0,
    foreign: 0,
    charged: 0,
    credit: 0,
  }
  const before = { ...count, returned: null, by: null, at: null }
  const after = { ...count, returned: 4, by: { isDriver: true, firstName: null }, at: at.toISOString() }
  const emptiesIn = (bottles: ReceiptOrder['bottles'], lang: 'ar' | 'en' = 'en') => {
    const { order } = documentOf({ bottles })(lang)
    return order.find(([term]) => term === (lang === 'en' ? 'Empties' : 'الفوارغ'))?.[1]
  }
  expect(emptiesIn([])).toBeUndefined()
  expect(emptiesIn([{ ...before, expected: 0 }])).toBeUndefined()
  expect(emptiesIn([before])).toBe('4 to collect')
  expect(emptiesIn([after])).toBe('4 given back')
  expect(emptiesIn([{ ...after, returned: 3, broken: 1, charged: 2 }])).toBe(
    `3 given back, 4 expected\u00a0· 1 broken\u00a0· counted by the driver at the door\u00a0· ${leftToRight('2.000')} of deposit added at once`,
  )
  const owed = { ...after, returned: 3, credit: -2, by: { isDriver: false, firstName: null } }
  expect(emptiesIn([owed], 'ar')).toBe(
    `أُعيدت 3 والمتوقّع 4\u00a0· عدّها المكتب\u00a0· على العميل تأمين ${leftToRight('2.000')}`,
  )
})

describe('the title of a receipt', () => {
  it.each([
    ['of a seller with a VAT number is tax invoice', { seller: registered }, 'فاتورة ضريبية', 'Tax invoice'],
    ['of a seller without a VAT number is invoice', { bill: copy }, 'فاتورة', 'Invoice'],
    ['of a seller without a VAT number is receipt if it is from before copies', {}, 'إيصال', 'Receipt'],
    ['of an order without a number is delivery note', { hasNumber: false }, 'سند تسليم', 'Delivery note'],
    ['of a credited delivery is credit note', { credited: 'note' as const }, 'إشعار دائن', 'Credit note'],
    [
      'of an order that was cancelled before it had a number says so',
      { seller: registered, hasNumber: false, status: 'cancelled' as const },
      'طلب ملغي',
      'Cancelled order',
    ],
    [
      'of a test order is no invoice',
      { seller: registered, hasNumber: false, isTest: true },
      'طلب تجريبي، ليس فاتورة',
      'Test order, not an invoice',
    ],
  ])('%s', (_, given, ar, en) => {
    const made = documentOf(given)
    expect([made('ar').words.title, made('en').words.title]).toEqual([ar, en])
  })
})

describe('the buyer', () => {
  it('is the company with its numbers, the CR number on every paper and the VAT number for a registered seller', () => {
    const company = { companyName: 'Delmon Trading', crNumber: '4711-1', poNumber: 'PO-17', branch: 'Seef' }
    const made = documentOf({ seller: registered, buyer: '220004418700002', ...company })('en')
    const text = made.customer.map((pair) => pair.join(' ')).join('\n')
    for (const value of [...Object.values(company), '220004418700002']) expect(text).toContain(value)
    const plainNote = documentOf({ hasNumber: false, ...company })('ar').customer.map(([term]) => term)
    expect(plainNote).toEqual([
      'الشركة',
      'العميل',
      'السجل التجاري للعميل',
      'الهاتف',
      'العنوان',
      'رقم أمر الشراء',
      'الفرع',
    ])
  })
})

describe('the lines for the receiver', () => {
  it('are on a delivery note before the delivery, and on no other paper', () => {
    const open = { hasNumber: false, status: 'shipped' as const }
    const lines = (given: Parameters<typeof documentOf>[0], lang: 'ar' | 'en') =>
      documentOf(given)(lang).signature?.lines
    expect(lines(open, 'ar')).toEqual(['اسم المستلم', 'التوقيع', 'التاريخ'])
    expect(lines(open, 'en')).toEqual(['Name of the receiver', 'Signature', 'Date'])
    for (const other of [
      {},
      { bill: copy },
      { hasNumber: false },
      { ...open, status: 'cancelled' as const },
      { ...open, isTest: true },
      { credited: 'note' as const },
    ])
      expect(lines(other, 'ar')).toBeUndefined()
  })
})

describe('the parties of a receipt', () => {
  it('are the seller in the language of the receipt and the buyer with the VAT number', () => {
    const made = documentOf({ seller: registered, buyer: '220004418700002' })
    expect(made('ar').seller.lines.join()).toContain('شركة الينبوع')
    expect(made('ar').seller.lines.join()).toContain('مبنى 7')
    expect(made('en').seller.lines.join()).toContain('Building 7')
    expect(JSON.stringify(made('en').customer)).toContain('220004418700002')
  })

  it('leave the buyer’s VAT number out of a receipt that is no tax invoice', () => {
    expect(JSON.stringify(documentOf({ buyer: '220004418700002' })('en').customer)).not.toContain('220004418700002')
  })
})

describe('the payment on a receipt', () => {
  const order = { total: fils(7775) }
  it('names the one means that paid all of it', () => {
    const made = documentOf({ ...order, paid: [{ means: 'card', amount: fils(7775) }] })
    expect([made('ar').payment, made('en').payment]).toEqual(['بطاقة · مدفوع', 'Card · Paid'])
  })

  it('gives the sum of each of several means, and of a part', () => {
    const split = documentOf({
      ...order,
      paid: [
        { means: 'cash', amount: fils(4500) },
        { means: 'benefitpay', amount: fils(3275) },
      ],
    })
    expect(split('en').payment).toBe(`Cash ${leftToRight('4.500')}, BenefitPay ${leftToRight('3.275')} · Paid`)
    const part = documentOf({ ...order, paymentStatus: 'unpaid', paid: [{ means: 'cash', amount: fils(4500) }] })
    expect(part('ar').payment).toBe(`نقدًا ${leftToRight('4.500')} · غير مدفوع`)
  })
})

describe('a credited invoice and its note', () => {
  it('name each other; the note says what it cancels, and neither says what was paid', () => {
    const [invoice, note] = [documentOf({ credited: 'invoice' })('en'), documentOf({ credited: 'note' })('ar')]
    expect([invoice.number, invoice.stamp, invoice.payment]).toEqual([
      expect.stringContaining('1-000001'),
      expect.stringContaining('CN-1-000007'),
      null,
    ])
    expect(note.number).toContain('CN-1-000007')
    expect(note.order.find(([term]) => term === 'عن الفاتورة')?.[1]).toContain('1-000001')
    expect([note.stamp, note.payment]).toEqual([null, null])
    expect(note.thanks).toContain('1-000001')
  })
})
