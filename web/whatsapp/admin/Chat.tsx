import type { ConversationDetail } from '@qatra/contract/whatsapp-inbox'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useT } from '../../app/i18n.tsx'
import { isMissing } from '../../lib/api-client.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ChatHead } from './ChatHead.tsx'
import { Composer } from './Composer.tsx'
import { detailQuery, messagesQuery } from './inbox-cache.ts'
import { Thread } from './Thread.tsx'
import type { Inbox } from './use-inbox.ts'

interface ChatProps {
  contactId: number
  inbox: Inbox
  className: string
}

/** One conversation: header, messages and reply field. */
export function Chat({ contactId, inbox, className }: ChatProps) {
  const t = useT()
  const detail = useQuery(detailQuery(contactId))
  const messages = useInfiniteQuery(messagesQuery(contactId))
  const shown: ConversationDetail | undefined = detail.data
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
      <ChatHead contactId={contactId} detail={shown} inbox={inbox} />
      <Thread contactId={contactId} detail={shown} query={messages} now={inbox.now} />
      <Composer contactId={contactId} detail={shown} now={inbox.now} />
    </section>
  )
}
