import { consentGiven } from './consent.ts'

export interface TrackedItem {
  productId: number
  name: string
  /** The product's size. */
  category: string
  /** BHD */
  price: number
  quantity: number
  vendorId: number
}

/** What is told, by name; amounts in BHD. */
export interface TrackedEvents {
  page_view: { path: string }
  view_content: { item: TrackedItem }
  add_to_cart: { item: TrackedItem }
  cart_viewed: { cartId: number | null; totalValue: number; products: TrackedItem[] }
  begin_checkout: { cartId: number | null; totalValue: number; products: TrackedItem[] }
  purchase: { orderId: string; revenue: number; products: TrackedItem[]; vendorId: number }
  sign_up: { method: 'code' | 'link' | 'message' }
  login: { method: 'code' | 'link' | 'message' }
  vendor_selected: { vendorId: number; name: string }
  filter_applied: { filter: 'size'; value: string }
}
export type EventName = keyof TrackedEvents

export type Tracked = { [N in EventName]: { name: N; payload: TrackedEvents[N] } }[EventName]

type Receiver = (event: Tracked) => void

/** More than a page can tell before the adapters are there. */
const MOST_WAITING = 50
let receiver: Receiver | null = null
let waiting: Tracked[] = []

/** Tells the configured analytics what happened, if the visitor agreed; else it is forgotten at once. Never throws. */
export function track<N extends EventName>(name: N, payload: TrackedEvents[N]): void {
  if (!consentGiven()) return
  // A name and its own payload, which the type of a union cannot see.
  const event = { name, payload } as Tracked
  if (receiver) receiver(event)
  else if (waiting.length < MOST_WAITING) waiting.push(event)
}

/** The adapters, once they are there; null when consent was taken back. */
export function deliverTo(next: Receiver | null) {
  receiver = next
  const kept = waiting
  waiting = []
  if (next) for (const event of kept) next(event)
}
