import { createEvent } from '../lib/event.ts'

/** Opens the list of keyboard shortcuts. */
export const shortcutsRequested = createEvent()
