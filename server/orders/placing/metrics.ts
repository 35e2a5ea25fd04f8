import type { ErrorCode } from '@qatra/contract/errors'
import type { Fils } from '@qatra/contract/lib/money'
import { Counter } from 'prom-client'
import type { AppError } from '../../lib/errors.ts'

const channels = ['shop', 'sales', 'bot', 'test'] as const
/** Through what an order came; `test` is the test order of the set-up. */
export type OrderChannel = (typeof channels)[number]

const placed = new Counter({
  name: 'qatra_orders_placed_total',
  help: 'Orders placed, without repeated requests',
  labelNames: ['channel'] as const,
})
const placedBhd = new Counter({
  name: 'qatra_orders_placed_bhd_total',
  help: 'What the placed orders came to, in BHD',
  labelNames: ['channel'] as const,
})
const refused = new Counter({
  name: 'qatra_orders_refused_total',
  help: 'Orders refused, by the error code',
  labelNames: ['channel', 'reason'] as const,
})
const missed = new Counter({
  name: 'qatra_coverage_misses_total',
  help: 'Orders refused because the vendor does not deliver to the area; area="none": outside of all areas',
  labelNames: ['area', 'vendor'] as const,
})
// A series that begins with its first event hides that event from increase().
for (const channel of channels) {
  placed.inc({ channel }, 0)
  placedBhd.inc({ channel }, 0)
  refused.inc({ channel, reason: 'INTERNAL' satisfies ErrorCode }, 0)
  refused.inc({ channel, reason: 'UNAVAILABLE' satisfies ErrorCode }, 0)
}
missed.inc({ area: 'none', vendor: 'none' }, 0)

/** Called after the commit. */
export function countPlaced(channel: OrderChannel, total: Fils) {
  placed.inc({ channel })
  placedBhd.inc({ channel }, total / 1000)
}

export function countRefused(channel: OrderChannel, { code, details }: Pick<AppError, 'code' | 'details'>) {
  refused.inc({ channel, reason: code })
  if (code === 'OUTSIDE_SERVICE_AREA') missed.inc({ area: 'none', vendor: 'none' })
  if (code === 'VENDOR_DOES_NOT_DELIVER') missed.inc(knownPair(idOf(details['area']), idOf(details['vendor'])))
}

const idOf = (named: unknown) =>
  typeof named === 'object' && named !== null && 'id' in named ? String(named.id) : 'none'

/** Series of one process; further pairs share one. */
const MAX_PAIRS = 500
const pairs = new Set<string>()

function knownPair(area: string, vendor: string) {
  const pair = `${area}:${vendor}`
  if (pairs.size < MAX_PAIRS) pairs.add(pair)
  return pairs.has(pair) ? { area, vendor } : { area: 'other', vendor: 'other' }
}
