import { fils } from '@qatra/contract/lib/money'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../test/fixtures/codes.ts'
import { receiptDocument } from './document.ts'
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
  productVat: fils(100),
  total: fils(1600),
  createdAt: at,
} as unknown as ReceiptOrder['order'] // only the columns that a receipt reads
const seller = { name: 'Spring', nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null }
const document = receiptDocument(
  {
    order,
    items: [],
    receipt: { orderId: order.id, vendorId: 1, number: 1, seller, buyerVatNumber: null, issuedAt: at },
    seller,
    buyerVatNumber: null,
  },
  { lang: 'ar', size: '80mm' },
)

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

  it('is restarted after a crash, and waiting requests get 503', async () => {
    const one = start()
    await one.print(document)
    const waiting = one.print(document)
    process.kill(one.pid() ?? 0, 'SIGKILL')
    await waiting.then(
      () => {},
      (error: unknown) => expect(error).toMatchObject({ code: 'UNAVAILABLE' }),
    )
    await until('the end to be noticed', async () => one.pid() === undefined)
    expect((await one.print(document)).length).toBeGreaterThan(1_000)
  })

  it('refuses the hundred and first waiting request with 503', async () => {
    const one = start()
    const answers = await Promise.allSettled(Array.from({ length: 105 }, () => one.print(document)))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
  })

  it('does not block the event loop', async () => {
    const one = start()
    await one.print(document)
    let longest = 0
    let last = performance.now()
    const clock = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const before = process.cpuUsage()
    await Promise.all(Array.from({ length: 20 }, () => one.print(document)))
    clearInterval(clock)
    const { user, system } = process.cpuUsage(before)
    // CPU time, which load does not stretch: setting the receipt takes about 200 ms of it.
    expect((user + system) / 1000 / 20).toBeLessThan(40)
    expect(longest).toBeGreaterThan(0)
  })
})
