import type { Run, RunStop } from '@qatra/contract/drivers'
import { noTotals } from '@qatra/contract/orders/totals'

/** For tests: a stop of 2.150 BHD in cash that can be delivered. */
export const testStop = (id: string, more: Partial<RunStop> = {}): RunStop => ({
  id,
  number: 1,
  status: 'shipped',
  customerName: 'نورة',
  phone: '+97336000006',
  receiverName: null,
  receiverPhone: null,
  address: 'السيف',
  addressParts: null,
  mapCoordinates: { lat: 26.2378, lng: 50.5402 },
  pinSource: null,
  areaName: 'Seef',
  areaNameAr: 'السيف',
  instructions: null,
  vendorTint: null,
  items: [],
  paymentMethod: 'cash',
  paymentStatus: 'pending',
  ...noTotals,
  total: 2.15,
  amountPaid: 0,
  cashToCollect: 2.15,
  due: 2.15,
  cashCollected: null,
  promisedDate: '2026-11-22',
  deliveredAt: null,
  version: 1,
  attempts: [],
  can: { deliver: true, attempt: true },
  ...more,
})

/** For tests: a driver's run on 22 November 2026. */
export const testRun = (stops: RunStop[] = [], cash: Partial<Run['cash']> = {}): Run => ({
  driver: { id: 5, name: 'Bilal Hussain', phone: '+97336000021', vendorId: 1 },
  date: '2026-11-22',
  today: '2026-11-22',
  now: '2026-11-22T07:00:00.000Z',
  isByHand: false,
  metresLeft: 0,
  stops,
  nextDate: null,
  products: [],
  cash: { expected: 0, collected: 0, counted: null, handedOver: 0, inHand: 0, difference: null, ...cash },
  otherMeans: {},
  means: ['cash'],
})
