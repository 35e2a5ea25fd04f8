import * as desk from '@qatra/contract/whatsapp-desk'
import * as files from '@qatra/contract/whatsapp-files'
import * as api from '@qatra/contract/whatsapp-inbox'
import { requireContact } from '../conversations/contacts.queries.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveFile } from '../http/serve-file.ts'
import { changeCanned, createCanned, deleteCanned } from './canned.commands.ts'
import { listCanned } from './canned.queries.ts'
import { assign, handBack, readConversation, retryMessage, sendReply, startConversation, takeOver } from './commands.ts'
import { requireDetail } from './detail.queries.ts'
import { refetchFile } from './files.commands.ts'
import { requireMessageFile, requireMessagePicture } from './files.queries.ts'
import { listMessages } from './messages.queries.ts'
import { addNote, changeOptOut } from './notes.commands.ts'
import { listPeople } from './people.queries.ts'
import { listConversations } from './queries.ts'
import { listForReply } from './templates.queries.ts'

export function inboxRoutes(app: App) {
  serve(app, api.listConversations, (ctx, { query }) => listConversations(ctx, query))
  serve(app, api.getConversation, async (ctx, { params }) =>
    requireDetail(ctx, (await requireContact(ctx.db, params.contact)).id),
  )
  serve(app, api.listMessages, async (ctx, { params, query }) =>
    listMessages(ctx, (await requireContact(ctx.db, params.contact)).id, query),
  )
  serve(app, api.sendReply, (ctx, { params, body }) => sendReply(ctx, params.contact, body))
  serve(app, api.startConversation, (ctx, { body }) => startConversation(ctx, app.config, body))
  serveFile(app, api.getMessagePicture, (ctx, { params }) => requireMessagePicture(ctx, params.id))
  serveFile(app, files.getMessageFile, (ctx, { params }) => requireMessageFile(ctx, params.id))
  serve(app, files.refetchMessageFile, (ctx, { params }) => refetchFile(ctx, params.id))
  serve(app, api.retryMessage, (ctx, { params }) => retryMessage(ctx, params.contact, params.id))
  serve(app, api.readConversation, (ctx, { params, body }) => readConversation(ctx, params.contact, body?.upTo))
  serve(app, api.assignConversation, (ctx, { params, body }) => assign(ctx, params.contact, body.userId))
  serve(app, api.takeOver, (ctx, { params, body }) => takeOver(ctx, params.contact, body?.hours))
  serve(app, api.handBack, (ctx, { params }) => handBack(ctx, params.contact))
  serve(app, desk.listAnswerers, (ctx) => listPeople(ctx))
  serve(app, desk.addNote, (ctx, { params, body }) => addNote(ctx, params.contact, body.body))
  serve(app, desk.changeOptOut, (ctx, { params, body }) => changeOptOut(ctx, params.contact, body.isOut))
  serve(app, desk.listCannedReplies, (ctx, { query }) => listCanned(ctx, query))
  serve(app, desk.createCannedReply, (ctx, { body }) => createCanned(ctx, body))
  serve(app, desk.changeCannedReply, (ctx, { params, body }) => changeCanned(ctx, params.id, body))
  serve(app, desk.deleteCannedReply, (ctx, { params }) => deleteCanned(ctx, params.id))
  serve(app, desk.listReplyTemplates, (ctx) => listForReply(ctx))
}
