import { bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import {
  type Dashboard,
  type Figures,
  type Period,
  type Span,
  type Spans,
  spansOf,
} from '@qatra/contract/dashboard/dashboard'
import { averageFils, fils, toBhd } from '@qatra/contract/lib/money'
import { openStatuses, orderStatuses } from '@qatra/contract/orders/order-status'
import type { Catalogue } from '../catalogue/queries.ts'
import { countCustomers } from '../customers/queries.ts'
import type { Ctx } from '../database/context.ts'
import { countListed, MAX_COUNTED } from '../orders/admin/list.queries.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { type Counted, readCounted } from './counting.queries.ts'
import { nameAreas, nameProducts } from './names.queries.ts'

const MAX_PRODUCTS = 20

/**
 * All figures of one period, for the actor's vendor or for the market. Past days come from stored figures, which a
 * trigger deletes when one of their orders changes.
 * @throws FORBIDDEN for a vendor out of reach
 */
export async function readDashboard(
  ctx: Ctx,
  catalogue: Catalogue,
  { period, vendorId: requestedVendorId }: { period: Period; vendorId?: number | undefined },
): Promise<Dashboard> {
  const vendorId = vendorInReach(ctx.actor, requestedVendorId || null)
  const spans = spansOf(period, ctx.now)
  const { span, spanBefore, days } = spans
  const isOneDay = days.length === 1
  const [counted, [begun = 0, begunBefore = 0], waiting] = await Promise.all([
    readCounted(ctx.db, { vendorId: vendorId ?? 0, spans, hasHoursBefore: isOneDay, cut: cutOf(spanBefore) }),
    countCustomers(
      ctx,
      [span, spanBefore].map((each) => begunIn(each, vendorId)),
    ),
    readWaiting(ctx, vendorId),
  ])
  const found = sorterOf(counted)
  const [byArea, byProduct] = await Promise.all([
    nameAreas(ctx, catalogue, found.most('area')),
    nameProducts(ctx, catalogue, found.most('product').slice(0, MAX_PRODUCTS)),
  ])
  const off = [...catalogue.products.values()].filter(
    (product) => !product.isActive && (vendorId === null || product.vendorId === vendorId),
  )
  return {
    period,
    vendorId,
    now: ctx.now.toISOString(),
    span,
    spanBefore,
    figures: figuresOf(
      counted.filter(({ kind, is_now }) => (kind === 'status' || kind === 'agreed') && is_now),
      begun,
    ),
    figuresBefore: figuresOf(
      counted.filter(
        ({ kind, is_now, day }) =>
          kind === 'cut' ||
          kind === 'agreed-cut' ||
          ((kind === 'status' || kind === 'agreed') && !is_now && isWhole(day, spanBefore)),
      ),
      begunBefore,
    ),
    byStatus: orderStatuses.map((status) => ({
      status,
      orders: found.sum('status', (one) => one.key === status && one.is_now),
    })),
    byHour: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      orders: found.sum('hour', ({ key, is_now }) => Number(key) === hour && is_now),
      before: isOneDay ? found.sum('hour', ({ key, is_now }) => Number(key) === hour && !is_now) : null,
    })),
    byDay: daysOf(counted, spans),
    byVendor: found.most('vendor').map(({ key, orders, amount }) => {
      const { name = '', nameAr = null } = catalogue.vendors.get(Number(key)) ?? {}
      return { vendorId: Number(key), name, nameAr, orders, revenue: toBhd(fils(amount)) }
    }),
    byProduct,
    byArea,
    waiting: { ...waiting, productsOff: off.length, most: MAX_COUNTED },
  }
}

/** The compared part of the last day; empty if the whole day is compared. */
function cutOf({ to, before }: Span): [Date, Date] {
  const begins = startOfBahrainDay(to)
  return [begins, before === null ? begins : new Date(before)]
}

const isWhole = (day: string | null, { to, before }: Span) => day !== null && (before === null ? day <= to : day < to)

const begunIn = ({ from, to, before }: Span, vendorId: number | null) => ({
  firstFrom: from,
  firstTo: to,
  ...(before === null ? {} : { firstBefore: before }),
  ...(vendorId === null ? {} : { vendorId }),
})

/** Cancelled orders count only in the cancellation rate. */
function figuresOf(counted: readonly Counted[], newCustomers: number): Figures {
  let [orders, revenue, cancelled, agreed, givenAway] = [0, 0, 0, 0, 0]
  for (const one of counted) {
    if (one.kind === 'agreed' || one.kind === 'agreed-cut') {
      agreed += one.orders
      givenAway += one.amount
    } else if (one.key === 'cancelled') cancelled += one.orders
    else {
      orders += one.orders
      revenue += one.amount
    }
  }
  return {
    orders,
    revenue: toBhd(fils(revenue)),
    average: orders === 0 ? null : toBhd(averageFils(fils(revenue), orders)),
    newCustomers,
    cancelled,
    agreed,
    givenAway: toBhd(fils(givenAway)),
    cancellationRate: orders + cancelled === 0 ? null : cancelled / (orders + cancelled),
  }
}

function daysOf(counted: readonly Counted[], { days, daysBefore }: Spans): Dashboard['byDay'] {
  const none = { orders: 0, amount: 0 }
  const sold = new Map<string, typeof none>()
  for (const { kind, key, day, orders, amount } of counted) {
    if (kind !== 'status' || key === 'cancelled' || day === null) continue
    const so = sold.get(day) ?? none
    sold.set(day, { orders: so.orders + orders, amount: so.amount + amount })
  }
  return days.map((day, at) => {
    const dayBefore = daysBefore[at] ?? null
    const { orders, amount } = sold.get(day) ?? none
    const before = dayBefore === null ? null : (sold.get(dayBefore) ?? none)
    return {
      day,
      orders,
      revenue: toBhd(fils(amount)),
      dayBefore,
      before: before && before.orders,
      revenueBefore: before && toBhd(fils(before.amount)),
    }
  })
}

function sorterOf(counted: readonly Counted[]) {
  return {
    sum: (kind: Counted['kind'], isMeant: (one: Counted) => boolean) =>
      counted.reduce((sum, one) => (one.kind === kind && isMeant(one) ? sum + one.orders : sum), 0),
    /** Of the current period, most orders first. */
    most: (kind: Counted['kind']) =>
      counted
        .filter((one) => one.kind === kind && one.is_now)
        .sort((a, b) => b.orders - a.orders || Number(a.key) - Number(b.key)),
  }
}

async function readWaiting(ctx: Ctx, vendorId: number | null) {
  const scope = { by: 'created' as const, ...(vendorId === null ? {} : { vendorId }) }
  const [fresh = 0, withoutDriver = 0, late = 0, failed = 0, due = 0] = await countListed(ctx, [
    { ...scope, attention: 'unconfirmed' },
    { ...scope, attention: 'unassigned' },
    { ...scope, attention: 'late' },
    { ...scope, attention: 'failed' },
    { ...scope, status: [...openStatuses], by: 'promised', to: bahrainDate(ctx.now) },
  ])
  return { new: fresh, withoutDriver, late, failed, due }
}
