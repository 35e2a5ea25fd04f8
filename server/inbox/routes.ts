import { bahrainDate } from '@qatra/contract/calendar/calendar'
import * as cannedReplies from '@qatra/contract/whatsapp/inbox/canned-replies'
import * as files from '@qatra/contract/whatsapp/inbox/files'
import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import * as reports from '@qatra/contract/whatsapp/inbox/report'
import { inboxSettingsIn } from '@qatra/contract/whatsapp/inbox/settings'
import * as transcript from '@qatra/contract/whatsapp/inbox/transcript'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { listReplyTemplates } from '@qatra/contract/whatsapp/templates/templates'
import type { Catalogue } from '../catalogue/queries.ts'
import { requireReachedContact, requireReachedMessage } from '../conversations/policy.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveFile } from '../http/serve-file.ts'
import { serveTable } from '../http/serve-table.ts'
import { serveUpload } from '../http/uploads.ts'
import { attachment } from '../lib/csv.ts'
import { changeCanned, createCanned, deleteCanned } from './canned.commands.ts'
import { listCanned } from './canned.queries.ts'
import { importCanned } from './canned-import.commands.ts'
import { readConversation, recordAction, retryMessage, sendReply, startConversation } from './commands.ts'
import { requireDetail } from './detail.queries.ts'
import { refetchFile } from './files.commands.ts'
import { requireMessageFile, requireMessagePicture } from './files.queries.ts'
import { listMessages } from './messages.queries.ts'
import { listPeople } from './people.queries.ts'
import { reportPresence } from './presence.ts'
import { listConversations, listLabels } from './queries.ts'
import { exportedConversationReport, readConversationReport } from './report.queries.ts'
import { listForReply } from './templates.queries.ts'
import { searchMessages, transcriptOf } from './transcript.queries.ts'
import { changeDuty, readDuty } from './turns.commands.ts'
import { storeFileToSend } from './uploads.commands.ts'
import {
  addNote,
  assign,
  block,
  changeLabels,
  changeOptOut,
  handBack,
  mute,
  reopen,
  resolve,
  snooze,
  takeOver,
} from './work.commands.ts'

export function inboxRoutes(app: App, { current: office }: { current: () => Pick<Catalogue, 'settings'> }) {
  serve(app, api.listConversations, (ctx, { query }) =>
    listConversations(ctx, query, inboxSettingsIn(office().settings).waitMinutes),
  )
  serve(app, api.getConversation, async (ctx, { params }) =>
    requireDetail(ctx, (await requireReachedContact(ctx, params.contact)).id),
  )
  serve(app, api.listMessages, async (ctx, { params, query }) =>
    listMessages(ctx, (await requireReachedContact(ctx, params.contact)).id, query),
  )
  serve(app, transcript.searchMessages, async (ctx, { params, query }) =>
    searchMessages(ctx, (await requireReachedContact(ctx, params.contact)).id, query.search),
  )
  serve(app, transcript.exportConversation, async (ctx, { params, query }) => {
    const { id } = await requireReachedContact(ctx, params.contact)
    const text = await transcriptOf(ctx, id, query.lang ?? ctx.actor.lang)
    await recordAction(ctx, id, 'exported')
    ctx.setHeader('content-disposition', attachment(`conversation-${id}-${bahrainDate(ctx.now)}.txt`))
    return text
  })
  serve(app, api.sendReply, (ctx, { params, body }) => sendReply(ctx, params.contact, body))
  serve(app, api.startConversation, (ctx, { body }) => startConversation(ctx, app.config, body))
  const upload = { bytes: files.MAX_UPLOAD_BYTES, timeoutMs: 60_000 }
  serveUpload(app, files.uploadConversationFile, (ctx, { body }) => storeFileToSend(ctx, body.bytes), upload)
  serveFile(app, api.getMessagePicture, async (ctx, { params }) => {
    await requireReachedMessage(ctx, params.id)
    return requireMessagePicture(ctx, params.id)
  })
  serveFile(app, files.getMessageFile, async (ctx, { params }) => {
    await requireReachedMessage(ctx, params.id)
    return requireMessageFile(ctx, params.id)
  })
  serve(app, files.refetchMessageFile, async (ctx, { params }) => {
    await requireReachedMessage(ctx, params.id)
    return refetchFile(ctx, params.id)
  })
  serve(app, api.retryMessage, (ctx, { params }) => retryMessage(ctx, params.contact, params.id))
  serve(app, api.readConversation, (ctx, { params, body }) => readConversation(ctx, params.contact, body?.upTo))
  serve(app, work.assignConversation, (ctx, { params, body }) => assign(ctx, params.contact, body))
  serve(app, work.takeOver, (ctx, { params, body }) => takeOver(ctx, params.contact, body?.hours))
  serve(app, work.handBack, (ctx, { params }) => handBack(ctx, params.contact))
  serve(app, work.resolveConversation, (ctx, { params, body }) => resolve(ctx, params.contact, body.upTo))
  serve(app, work.reopenConversation, (ctx, { params }) => reopen(ctx, params.contact))
  serve(app, work.snoozeConversation, (ctx, { params, body }) => snooze(ctx, params.contact, body.until))
  serve(app, work.changeLabels, (ctx, { params, body }) => changeLabels(ctx, params.contact, body))
  serve(app, work.muteConversation, (ctx, { params, body }) => mute(ctx, params.contact, body.isMuted))
  serve(app, work.blockContact, (ctx, { params, body }) => block(ctx, params.contact, body.reason))
  serve(app, work.listLabels, (ctx) => listLabels(ctx))
  serve(app, work.reportPresence, (ctx, { params, body }) => reportPresence(ctx, params.contact, body.state))
  serve(app, work.getDuty, (ctx) => readDuty(ctx))
  serve(app, work.changeDuty, (ctx, { body }) => changeDuty(ctx, body.isAway))
  serve(app, work.listAnswerers, (ctx, { query }) => listPeople(ctx, query.contact))
  serve(app, reports.getConversationReport, (ctx, { query }) => readConversationReport(ctx, query))
  serveTable(app, reports.exportConversationReport, async (ctx, { query: { lang, by, ...filters } }) => {
    const report = await readConversationReport(ctx, filters)
    const table = exportedConversationReport(report, by, lang ?? ctx.actor.lang)
    return { list: 'conversations', filters, name: 'conversations', table }
  })
  serve(app, api.addNote, (ctx, { params, body }) => addNote(ctx, params.contact, body.body))
  serve(app, work.changeOptOut, (ctx, { params, body }) => changeOptOut(ctx, params.contact, body.isOut))
  serve(app, cannedReplies.listCannedReplies, (ctx, { query }) => listCanned(ctx, query))
  serve(app, cannedReplies.createCannedReply, (ctx, { body }) => createCanned(ctx, body))
  serveUpload(app, cannedReplies.importCannedReplies, (ctx, input) => importCanned(ctx, app, input), {
    bytes: cannedReplies.CANNED_FILE_BYTES,
  })
  serve(app, cannedReplies.changeCannedReply, (ctx, { params, body }) => changeCanned(ctx, params.id, body))
  serve(app, cannedReplies.deleteCannedReply, (ctx, { params }) => deleteCanned(ctx, params.id))
  serve(app, listReplyTemplates, (ctx) => listForReply(ctx))
}
