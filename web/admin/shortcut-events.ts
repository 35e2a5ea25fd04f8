import { createEvent } from '../lib/event.ts'

/** Opens the list of keyboard shortcuts, wherever it is asked for. */
export const shortcutsRequested = createEvent()
