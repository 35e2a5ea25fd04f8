import { refetchMessageFile } from '@qatra/contract/whatsapp/inbox/files'
import { type Conversation, retryMessage } from '@qatra/contract/whatsapp/inbox/inbox'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { useQueryClient } from '@tanstack/react-query'
import { CallError, call, detailsOf } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { toast } from '../../../ui/Toast.tsx'
import { cacheConversation, labelsQuery, renewConversation, renewDetail, renewList } from '../inbox/inbox-cache.ts'
import { dayAndClock } from './chat-time.ts'

/** Actions on a conversation; a failure shows a message and changes nothing. */
export function useConversationActions(contactId: number) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const params = { contact: String(contactId) }

  async function attempt(act: () => Promise<unknown>, title = t('inbox.notDone')): Promise<boolean> {
    try {
      await act()
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast({
        title,
        text:
          error.code === 'CONVERSATION_TAKEN' && !detailsOf(error, error.code).name
            ? t('inbox.error.takenByNobody')
            : refusalText(t, error, 'inbox'),
        tone: 'error',
      })
      // The page shows what the server has.
      void renewDetail(queries, contactId)
      return false
    }
  }
  const change = (act: () => Promise<Conversation>) =>
    attempt(async () => {
      cacheConversation(queries, await act())
      void renewDetail(queries, contactId)
      void renewList(queries)
    })
  const reopen = () => change(() => call(work.reopenConversation, { params }))
  const snooze = (until: string | null) => change(() => call(work.snoozeConversation, { params, body: { until } }))
  return {
    takeOver: (hours?: number) =>
      change(() => call(work.takeOver, { params, body: hours === undefined ? {} : { hours } })),
    handBack: () => change(() => call(work.handBack, { params })),
    /** Refused if somebody else than `from` has it by now. */
    assign: (userId: number | null, from: number | null) =>
      change(() => call(work.assignConversation, { params, body: { userId, from } })),
    /** `upTo` is the last message seen: a later one of the customer refuses it. */
    async resolve(upTo: number | null) {
      const isDone = await change(() => call(work.resolveConversation, { params, body: { upTo } }))
      if (isDone) {
        const action = { label: t('inbox.undo'), onClick: () => void reopen() }
        toast({ title: t('inbox.resolved'), text: t('inbox.resolved.text'), action })
      }
      return isDone
    },
    reopen,
    async snooze(until: Date) {
      const isDone = await snooze(until.toISOString())
      if (isDone) {
        const title = t('inbox.snoozed', { time: dayAndClock(until, lang) })
        toast({ title, action: { label: t('inbox.undo'), onClick: () => void snooze(null) } })
      }
      return isDone
    },
    endSnooze: () => snooze(null),
    label: (add: string[], remove: string[]) =>
      change(async () => {
        const after = await call(work.changeLabels, { params, body: { add, remove } })
        void queries.invalidateQueries({ queryKey: labelsQuery().queryKey })
        return after
      }),
    mute: (isMuted: boolean) => change(() => call(work.muteConversation, { params, body: { isMuted } })),
    /** Null unblocks. */
    block: (reason: string | null) => change(() => call(work.blockContact, { params, body: { reason } })),
    setOptOut: (isOut: boolean) => change(() => call(work.changeOptOut, { params, body: { isOut } })),
    async refetch(id: number) {
      await attempt(() => call(refetchMessageFile, { params: { id: String(id) } }))
      await renewConversation(queries, contactId)
    },
    async retry(id: number) {
      await attempt(() => call(retryMessage, { params: { ...params, id: String(id) } }), t('inbox.notSent'))
      await renewConversation(queries, contactId)
    },
  }
}
