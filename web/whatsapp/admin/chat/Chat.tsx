import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { isMissing } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Composer } from '../composer/Composer.tsx'
import { QuotingProvider } from '../composer/quoting.ts'
import { detailQuery, messagesQuery } from '../inbox/inbox-cache.ts'
import type { Inbox } from '../inbox/use-inbox.ts'
import { findRequested } from '../inbox/use-inbox-keys.ts'
import { Thread } from '../thread/Thread.tsx'
import { useNow } from '../use-now.ts'
import { ChatHead } from './ChatHead.tsx'
import { ChatStrip } from './ChatStrip.tsx'
import { MessageSearch } from './MessageSearch.tsx'
import { usePresence } from './presence.ts'
import type { Work } from './use-work.ts'

interface ChatProps {
  contactId: number
  inbox: Inbox
  /** Null for who may only read. */
  work: Work | null
  className: string
}

/** One conversation: header, messages and reply field. */
export function Chat({ contactId, inbox, work, className }: ChatProps) {
  const t = useT()
  const detail = useQuery(detailQuery(contactId))
  const messages = useInfiniteQuery(messagesQuery(contactId))
  const others = usePresence(contactId, work !== null)
  const [isFinding, setFinding] = useState(false)
  const [hit, setHit] = useState<number | null>(null)
  useEffect(() => findRequested.on(() => setFinding(true)), [])
  const [quoted, quote] = useState<Message | null>(null)
  const mayReply = work !== null
  const quoting = useMemo(() => ({ quoted, quote: mayReply ? quote : null }), [quoted, mayReply])
  const shown: ConversationDetail | undefined = detail.data
  const now = useNow()
  const error = detail.error ?? messages.error
  const box = classes('min-h-0 min-w-0 flex-col bg-well', className)
  if (error && !shown) {
    return (
      <section aria-label={t('inbox.chat')} className={classes(box, 'justify-center px-6')}>
        <EmptyState title={t(isMissing(error) ? 'inbox.missing' : 'admin.failed')} text={t('inbox.missing.hint')}>
          <Button
            size="small"
            onClick={() => (isMissing(error) ? inbox.setState({ open: undefined }) : void detail.refetch())}
          >
            {t(isMissing(error) ? 'inbox.back' : 'admin.retry')}
          </Button>
        </EmptyState>
      </section>
    )
  }
  return (
    <section aria-label={t('inbox.chat')} className={box}>
      <ChatHead
        contactId={contactId}
        detail={shown}
        inbox={inbox}
        work={work}
        now={now}
        onFind={() => setFinding(true)}
      />
      {isFinding && <MessageSearch contactId={contactId} onHit={setHit} onClose={() => setFinding(false)} />}
      {shown && <ChatStrip detail={shown} others={others} mayReply={mayReply} />}
      <QuotingProvider value={quoting}>
        <Thread contactId={contactId} detail={shown} query={messages} hit={hit} now={now} />
        {work ? (
          <Composer contactId={contactId} detail={shown} others={others} now={now} />
        ) : (
          <p className="flex-none border-t border-line bg-page px-5 py-3.5 text-ink-2">{t('inbox.readOnly')}</p>
        )}
      </QuotingProvider>
    </section>
  )
}
