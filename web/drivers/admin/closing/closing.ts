import { type CashClosing, getCashClosing } from '@qatra/contract/cash-closing'
import { addFils, fromBhd } from '@qatra/contract/lib/money'
import { read } from '../../../lib/api-client.ts'
import { dayIn, idIn } from '../../../lib/search-state.ts'

export const closingShape = { date: dayIn, vendor: idIn }

export const closingQuery = (date: string, vendorId: number | undefined) =>
  read(getCashClosing, { params: { date }, query: vendorId ? { vendorId: String(vendorId) } : {} })

export const isComplete = ({ missing }: CashClosing) =>
  missing.begun && missing.openOrders === 0 && missing.cash.length === 0

/**
 * Whether what a driver still holds is the difference of the handover, which needs a reason, and no new cash. What
 * customers paid above their totals is collected, but not expected.
 */
export const isShortage = ({ inHand, difference, collected, expected }: CashClosing['drivers'][number]['cash']) =>
  inHand !== 0 &&
  difference !== null &&
  addFils(fromBhd(inHand), fromBhd(difference)) === fromBhd(collected) - fromBhd(expected)
