import { type CashClosing, type Equation, getCashClosing } from '@qatra/contract/cash-closing'
import { addFils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { type PaymentMeans, paymentMeans } from '@qatra/contract/orders/payments'
import { read } from '../../../lib/api-client.ts'
import { dayIn, idIn } from '../../../lib/search-state.ts'

export const closingShape = { date: dayIn, vendor: idIn }

export const closingQuery = (date: string, vendorId: number | undefined) =>
  read(getCashClosing, { params: { date }, query: vendorId ? { vendorId: String(vendorId) } : {} })

/** The steps that are left before the day can be closed. */
export const stepsLeft = ({ missing, equation }: CashClosing): number =>
  (missing.begun ? 0 : 1) +
  (missing.openOrders > 0 ? 1 : 0) +
  missing.cash.length +
  (equation.unexplainedOrders.length > 0 ? 1 : 0)

/** Means of the day besides cash and accounts. */
export const meansOf = ({ otherMeans }: Equation): PaymentMeans[] =>
  paymentMeans.filter((means) => means !== 'cash' && means !== 'account' && otherMeans[means])

/** What nobody has explained: missing and too much, which do not make up for each other. */
export const redSums = ({ withoutEntry, paidBeyond }: Equation) =>
  [
    { key: 'withoutEntry', bhd: withoutEntry },
    { key: 'paidBeyond', bhd: paidBeyond },
  ].filter(({ bhd }) => bhd !== 0)

type DriverRow = CashClosing['drivers'][number]

/** What the driver took and left uncollected; of the office with null. */
export const holderOf = ({ equation }: Pick<CashClosing, 'equation'>, driverId: number | null) =>
  equation.byHolder.find((row) => row.driverId === driverId) ?? {
    driverId,
    means: {},
    paidBack: 0,
    notCollected: 0,
  }

export const addBhd = (...amounts: readonly number[]) => toBhd(addFils(...amounts.map(fromBhd)))

/** BHD of the orders of this driver, or of the office, for which there is no payment. */
export const unentered = ({ unexplainedOrders }: Equation, driverId: number | null): number =>
  addBhd(
    ...unexplainedOrders
      .filter((order) => order.amount > 0 && (order.driver?.id ?? null) === driverId)
      .map((order) => order.amount),
  )

export type Holder = ReturnType<typeof holderOf>

/** Whether nothing of the driver has to be looked at: all is handed over, none is missing or without a payment, bottles match. */
export const isSettled = (
  { equation, bottles }: Pick<CashClosing, 'equation' | 'bottles'>,
  { driver, cash }: DriverRow,
): boolean =>
  bottles.every(({ driverId, difference }) => driverId !== driver.id || difference === 0) &&
  cash.inHand === 0 &&
  (cash.difference ?? 0) === 0 &&
  cash.shortage === 0 &&
  cash.writtenOff === 0 &&
  unentered(equation, driver.id) === 0

/** Whether the driver had a stop or money on the day, so that there is something to close. */
export const hasWorked = (closing: Pick<CashClosing, 'equation' | 'bottles'>, line: DriverRow): boolean =>
  line.stops.all > 0 ||
  closing.bottles.some(({ driverId }) => driverId === line.driver.id) ||
  Object.values(line.cash).some((bhd) => bhd !== null && bhd !== 0) ||
  closing.equation.byHolder.some(({ driverId }) => driverId === line.driver.id) ||
  unentered(closing.equation, line.driver.id) !== 0

/** BHD in cash of the day's orders that is still with the driver, as in the equation. */
export const cashLeftWith = (closing: Pick<CashClosing, 'equation'>, { driver, cash }: DriverRow): number =>
  toBhd(addFils(fromBhd(holderOf(closing, driver.id).means.cash ?? 0), fromBhd(-cash.handedOver)))

/**
 * Whether what a driver still holds is the difference of the handover, which needs a reason, and no new cash. What
 * customers paid above their totals is collected, but not expected.
 */
export const isShortage = ({ inHand, difference, collected, expected }: DriverRow['cash']) =>
  inHand !== 0 &&
  difference !== null &&
  addFils(fromBhd(inHand), fromBhd(difference)) === fromBhd(collected) - fromBhd(expected)
