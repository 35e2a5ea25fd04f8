import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { receiptDocument } from '../server/orders/receipt/document.ts'
import { createPdfWorker } from '../server/orders/receipt/pdf-worker.ts'

/**
 * Sends receipts one after the other through the PDF worker, as the server does: time of each (median and
 * 95th percentile) and CPU time, the longest delay of the server's event loop meanwhile, and the memory of both.
 * `node bench/receipt.mjs [receipts]`, on Linux.
 */
const wanted = Number(process.argv[2] ?? 200)
const pdfWorker = createPdfWorker({ warn: console.warn })
// The worker does not keep this process alive, unlike the listening socket of a server.
const awake = setInterval(() => {}, 1_000)
const at = new Date('2026-11-21T07:42:00Z')
const seller = {
  name: 'Hayrat Drinking Water W.L.L.',
  nameAr: null,
  address: 'Building 101, Road 91, Block 991, Kingdom of Bahrain',
  addressAr: null,
  crNumber: '999001-1',
  vatNumber: '999999999900001',
}

/** Customer and amounts differ each time, so that no receipt comes from a cache. */
function documentOf(n, lines, options) {
  const items = Array.from({ length: lines }, (_, i) => ({
    name: `Hayrat water ${n} ${i}`,
    nameAr: `مياه هيرات ${n} ${i}`,
    size: i % 2 ? '500ml' : '5 gallon',
    price: 900 + ((n * 7 + i * 13) % 4000),
    vatPercentage: i % 3 ? 10 : 0,
    quantity: 1 + ((n + i) % 20),
    vat: 25,
  }))
  const order = {
    id: '9HXR4TVCM2KE7QWA',
    vendorId: 1,
    vendorName: 'Hayrat',
    vendorNameAr: 'هيرات',
    customerName: `نورة الدوسري ${n}`,
    phone: '+97336000006',
    address: 'مجمع 428، طريق 2831، مبنى 1172، شقة 34، السيف',
    status: 'delivered',
    paymentMethod: 'cash',
    paymentStatus: 'paid',
    promisedDate: '2026-11-22',
    subtotal: 1000 + n,
    deliveryFee: 500,
    productVAT: 100,
    total: 1600 + n,
    createdAt: at,
    deliveredAt: at,
  }
  const receipt = { orderId: order.id, vendorId: 1, number: n, seller, issuedAt: at }
  return receiptDocument({ order, items, receipt, seller, paid: [] }, options)
}

/** CPU time of a process so far, in seconds. */
function workOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const megabytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
const round = (number) => Math.round(number * 10) / 10

const before = megabytes(process.pid)
const began = performance.now()
await pdfWorker.print(documentOf(0, 4, { lang: 'ar', size: 'a4' }))
const firstMs = performance.now() - began

const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
const kinds = {}
let n = 1
for (const lines of [4, 100]) {
  for (const size of ['a4', '80mm']) {
    for (const lang of ['ar', 'en']) {
      const times = []
      for (let i = 0; i < 10; i += 1) await pdfWorker.print(documentOf((n += 1), lines, { lang, size }))
      const work = workOf(pdfWorker.pid())
      for (let i = 0; i < wanted; i += 1) {
        const document = documentOf((n += 1), lines, { lang, size })
        const start = performance.now()
        await pdfWorker.print(document)
        times.push(performance.now() - start)
      }
      times.sort((a, b) => a - b)
      kinds[`${lines} lines, ${size}, ${lang}`] = {
        p50: round(times[Math.floor(wanted * 0.5)]),
        p95: round(times[Math.floor(wanted * 0.95)]),
        workMs: round(((workOf(pdfWorker.pid()) - work) / wanted) * 1000),
      }
    }
  }
}
loop.disable()
console.log(
  JSON.stringify({
    bench: 'receipt',
    firstMs: round(firstMs),
    kinds,
    loopStandstillMs: { p99: round(loop.percentile(99) / 1e6), longest: round(loop.max / 1e6) },
    memoryMb: { server: [round(before), round(megabytes(process.pid))], typesetter: round(megabytes(pdfWorker.pid())) },
  }),
)
pdfWorker.stop()
clearInterval(awake)
