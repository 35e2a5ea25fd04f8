import type { Presence } from '@qatra/contract/whatsapp/inbox/work'
import { createEvent } from '../../../lib/event.ts'

/** A colleague looks at a conversation or types; from the event stream. */
export const presenceReported = createEvent<Presence>()
