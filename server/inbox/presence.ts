import type { Output } from '@qatra/contract/endpoint'
import type * as api from '@qatra/contract/whatsapp/inbox/work'
import type { Presence } from '@qatra/contract/whatsapp/inbox/work'
import { sql } from 'drizzle-orm'
import { findVendorIds, isInReach, requireReachedContact } from '../conversations/policy.ts'
import { type Ctx, userOf } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { eventText } from '../http/streams/event-stream.ts'

const CHANNEL = 'presence'

interface Notice {
  presence: Presence
  vendorIds: readonly number[]
}

/** Notifies all processes; nothing is stored. An impersonated person is not shown. */
export async function reportPresence(
  ctx: Ctx,
  idOrPhone: string,
  state: Presence['state'],
): Promise<Output<typeof api.reportPresence>> {
  const { id: contactId } = await requireReachedContact(ctx, idOrPhone)
  if (ctx.actor.impersonator) return { success: true }
  const { id, name } = userOf(ctx)
  const notice: Notice = {
    presence: { contactId, user: { id, name }, state, at: ctx.now.toISOString() },
    vendorIds: await findVendorIds(ctx.db, contactId),
  }
  await ctx.db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`)
  return { success: true }
}

/** Sends presences to the streams of those who reach the conversation. */
export async function followPresence({
  listener,
  eventStreams,
}: Pick<App, 'listener' | 'eventStreams'>): Promise<void> {
  const publish = (payload: string) => {
    const { presence, vendorIds }: Notice = JSON.parse(payload)
    eventStreams.publish([
      {
        id: null,
        topic: 'admin',
        text: eventText('presence', presence),
        isFor: (user) => user.id !== presence.user.id && isInReach(user, vendorIds),
      },
    ])
  }
  await listener.on(CHANNEL, publish, () => {})
}
