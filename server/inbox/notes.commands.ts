import type { Conversation, Note } from '@qatra/contract/whatsapp/inbox/inbox'
import { setOptOut } from '../conversations/contacts.commands.ts'
import { requireReachedContact } from '../conversations/policy.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { emit, publish } from '../jobs/domain-events.ts'
import { listNotes } from './detail.queries.ts'
import { requireConversation, requireThread } from './queries.ts'
import { conversationNotes } from './tables.ts'

/** The audit log records that a note was written, not its text. */
export async function addNote(ctx: Ctx, idOrPhone: string, body: string): Promise<Note> {
  const { id: contactId } = await requireReachedContact(ctx, idOrPhone)
  await requireThread(ctx, contactId)
  const { id: authorId, vendorId } = userOf(ctx)
  await ctx.db.insert(conversationNotes).values({ contactId, authorId, vendorId, body })
  await emit(ctx, { name: 'conversation.noted', action: 'note-added', resource: 'conversation', id: contactId })
  await publish(ctx, 'conversation.changed', { contactId })
  const [newest] = await listNotes(ctx, contactId)
  if (!newest) throw new Error('The note was written a moment ago')
  return newest
}

export async function changeOptOut(ctx: Ctx, idOrPhone: string, isOut: boolean): Promise<Conversation> {
  const { id, opted_out_at: before } = await requireReachedContact(ctx, idOrPhone)
  if ((before !== null) !== isOut) {
    await setOptOut(ctx, id, { isOut, source: 'office' })
    const action = isOut ? 'opted-out' : 'opted-in'
    await emit(ctx, { name: `conversation.${action}`, action, resource: 'conversation', id })
    await publish(ctx, 'conversation.changed', { contactId: id })
  }
  return requireConversation(ctx, id)
}
