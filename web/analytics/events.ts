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

/** Payload of each event; amounts in BHD. */
export interface TrackedEvents {
  page_view: { path: string }
  view_content: { item: TrackedItem }
  add_to_cart: { item: TrackedItem }
  cart_viewed: { cartId: number | null; totalValue: number; products: TrackedItem[] }
  begin_checkout: { cartId: number | null; totalValue: number; products: TrackedItem[] }
  purchase: { orderId: string; revenue: number; products: TrackedItem[]; vendorId: number }
  sign_up: { method: 'code' | 'link' | 'message' | 'passkey' }
  login: { method: 'code' | 'link' | 'message' | 'passkey' }
  vendor_selected: { vendorId: number; name: string }
  filter_applied: { filter: 'size'; value: string }
}
export type EventName = keyof TrackedEvents

export type Tracked = { [N in EventName]: { name: N; payload: TrackedEvents[N] } }[EventName]

type Receiver = (event: Tracked) => void

/** Limit of events queued before the adapters are loaded. */
const MOST_WAITING = 50
let receiver: Receiver | null = null
let waiting: Tracked[] = []

/** Sends an event to the configured analytics if the visitor consented; otherwise drops it. Never throws. */
export function track<N extends EventName>(name: N, payload: TrackedEvents[N]): void {
  if (!consentGiven()) return
  // TypeScript cannot infer that name and payload belong together.
  const event = { name, payload } as Tracked
  if (receiver) receiver(event)
  else if (waiting.length < MOST_WAITING) waiting.push(event)
}

/** Sets the receiver once the adapters are loaded; null when consent is withdrawn. */
export function deliverTo(next: Receiver | null) {
  receiver = next
  const queued = waiting
  waiting = []
  if (next) for (const event of queued) next(event)
}
