import { createEvent } from '../lib/event.ts'

/** A request to open the mini cart. */
export const expandCart = createEvent()

/** SPEC §9: the mini cart opens 300 ms after a reorder. */
export const EXPAND_DELAY_MS = 300

export const expandCartSoon = () => void setTimeout(expandCart.emit, EXPAND_DELAY_MS)
