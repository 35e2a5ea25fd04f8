import { createEvent } from '../lib/event.ts'

/** Opens the search of the whole admin area. */
export const paletteRequested = createEvent()
