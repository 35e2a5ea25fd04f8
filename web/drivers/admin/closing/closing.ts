import { type CashClosing, getCashClosing } from '@qatra/contract/cash-closing'
import { read } from '../../../lib/api-client.ts'
import { dayIn, idIn } from '../../../lib/search-state.ts'

export const closingShape = { date: dayIn, vendor: idIn }

export const closingQuery = (date: string, vendorId: number | undefined) =>
  read(getCashClosing, { params: { date }, query: vendorId ? { vendorId: String(vendorId) } : {} })

export const isComplete = ({ missing }: CashClosing) =>
  missing.begun && missing.openOrders === 0 && missing.cash.length === 0
