import type { Lang } from '@qatra/contract/lib/lang'
import { fils } from '@qatra/contract/lib/money'
import type { ReceiptSize } from '@qatra/contract/orders/receipts'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../test/fixtures/codes.ts'
import { receiptDocument } from './document.ts'
import { printable } from './glyphs.ts'
import { createPdfWorker, type PdfWorker } from './pdf-worker.ts'
import type { ReceiptOrder } from './queries.ts'

let pdfWorker: PdfWorker | undefined
afterEach(() => pdfWorker?.stop())
const start = (options?: { idleMs: number }) => (pdfWorker = createPdfWorker(pino({ level: 'silent' }), options))

const at = new Date('2026-11-21T07:42:00Z')
const order = {
  id: '9HXR4TVCM2KE7QWA',
  vendorId: 1,
  vendorName: 'Spring',
  customerName: 'Noura',
  phone: '+97336000006',
  address: 'Seef',
  status: 'delivered',
  paymentMethod: 'cash',
  paymentStatus: 'paid',
  promisedDate: '2026-11-22',
  subtotal: fils(1000),
  deliveryFee: fils(500),
  productVAT: fils(100),
  deposit: fils(0),
  total: fils(1600),
  createdAt: at,
} as unknown as ReceiptOrder['order'] // only the columns that a receipt reads
const seller = { name: 'Spring', nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null }
const documentOf = (order: ReceiptOrder['order'], lang: Lang, size: ReceiptSize) =>
  receiptDocument(
    {
      order,
      items: [],
      bottles: [],
      receipt: {
        orderId: order.id,
        vendorId: 1,
        number: 1,
        seller,
        buyerVatNumber: null,
        bill: null,
        buyer: null,
        day: null,
        issuedAt: at,
      },
      creditNote: null,
      isCreditNote: false,
      seller,
      buyerVatNumber: null,
      paid: [],
    },
    { lang, size },
  )
const document = documentOf(order, 'ar', '80mm')

describe('the PDF worker process', () => {
  it('starts with the first receipt, returns the same bytes from every process, and exits when idle', async () => {
    const first = start({ idleMs: 100 })
    expect(first.pid()).toBeUndefined()
    const bytes = await first.print(document)
    const pid = first.pid()
    expect(pid).toBeGreaterThan(0)
    await until('the process to end', async () => first.pid() === undefined)
    expect((await first.print(document)).equals(bytes)).toBe(true)
    expect(first.pid()).not.toBe(pid)
  })

  it('sets every character that a text may have', async () => {
    const one = start()
    const texts = [
      'Villa 12 🏠 ☎ ✅ ☑ ★ ♥ ■ ▪ ➜ 🅿️ 1️⃣ ① \ufffd 👨‍👩‍👧‍👦 🇧🇭 Ｒｏａｄ Дом Αθήνα फ्लैट ফ্ল্যাট சென்னை മലയാളം ถนน 大厦 서울 a\u0331\u0902 \u00ad\u180e',
      // One character of 8 of the assigned planes, with the spaces that let a line break.
      ...[0, 1, 14].map((plane) => {
        const codes = Array.from({ length: 0x2000 }, (_, i) => plane * 0x10000 + 8 * i + (i % 8))
        const shown = codes.filter((code) => code >= 0x20 && (code < 0xd800 || code > 0xdfff))
        return shown.map((code, i) => String.fromCodePoint(code) + (i % 4 === 0 ? ' ' : '')).join('')
      }),
    ]
    for (const [i, text] of texts.entries())
      for (const lang of i === 0 ? (['ar', 'en'] as const) : (['en'] as const))
        for (const size of i === 0 ? (['a4', '80mm'] as const) : (['80mm'] as const)) {
          const made = {
            ...order,
            vendorName: `Hayrat ${text.slice(0, 60).toWellFormed()}`,
            customerName: 'नूरा',
            address: text,
          }
          expect((await one.print(documentOf(made, lang, size))).subarray(0, 5).toString()).toBe('%PDF-')
        }
  })

  it('is restarted after a crash, and waiting requests get 503', async () => {
    const one = start()
    await one.print(document)
    const waiting = one.print(document)
    process.kill(one.pid() ?? 0, 'SIGKILL')
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await until('the end to be noticed', async () => one.pid() === undefined)
    expect((await one.print(document)).length).toBeGreaterThan(1_000)
  })

  it('refuses the hundred and first waiting request with 503', async () => {
    const one = start()
    await one.print(document)
    const answers = await Promise.allSettled(Array.from({ length: 105 }, () => one.print(document)))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
  })

  it('does not block the event loop', async () => {
    const one = start()
    await one.print(document)
    const before = process.cpuUsage()
    await Promise.all(Array.from({ length: 20 }, () => one.print(document)))
    const { user, system } = process.cpuUsage(before)
    // CPU time, which load does not stretch: setting the receipt takes about 200 ms of it.
    expect((user + system) / 1000 / 20).toBeLessThan(40)
  })
})

describe('a text for fonts that lack characters', () => {
  const latin = new Set([...'aR é□'].map((one) => one.codePointAt(0) ?? 0))
  const hindi = new Set([...'कि'].map((one) => one.codePointAt(0) ?? 0))
  it.each([
    ['keeps what one font has', 'a कि é', 'a कि é'],
    ['has the compatible form', 'Ｒ e\u0301', 'R é'],
    ['drops a mark that the font of its letter lacks', 'a\u0331', 'a'],
    ['has a box for the rest', 'a 大厦 💧', 'a □□ □'],
    ['drops what is never shown', 'a\u00ada', 'aa'],
    ['keeps joiners and directions', '\u2068a\u200da\u2069', '\u2068a\u200da\u2069'],
  ])('%s', (_, text, shown) => {
    expect(printable(text, [latin, hindi])).toBe(shown)
  })
})
