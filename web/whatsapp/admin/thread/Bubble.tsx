import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { useSelector } from '@tanstack/react-store'
import { type ReactNode, useState } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { BotIcon, FileIcon, ReplyIcon, TwoTicksIcon } from '../../../ui/admin/icons.ts'
import { classes } from '../../../ui/class-names.ts'
import { AgainIcon, CheckIcon, ClockIcon, WarningIcon } from '../../../ui/icons.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { clock } from '../chat/chat-time.ts'
import { useConversationActions } from '../chat/use-conversation-actions.ts'
import { forget, isRetryable, type Pending, sendAgain, sendAnyway } from '../composer/outbox.ts'
import { type OutgoingFile, progressOf } from '../composer/outgoing-files.ts'
import { BubbleActions, Reactions } from './BubbleActions.tsx'
import { MessageContent } from './MessageContent.tsx'
import { authorOf, previewOf, undeliveredReason } from './message-words.ts'

const shape =
  'max-w-[min(430px,86%)] min-w-0 rounded-[14px] px-3.5 pt-2.25 pb-1.75 text-[0.9375rem] leading-relaxed wrap-break-word'
const variants = {
  incoming: 'justify-self-start rounded-ss-[4px] bg-surface',
  staff: 'justify-self-end rounded-se-[4px] bg-gulf text-on-gulf',
  other: 'justify-self-end rounded-se-[4px] bg-surface inset-ring inset-ring-line',
}
const variantOf = ({ direction, by }: Message): keyof typeof variants =>
  direction === 'incoming' ? 'incoming' : by.type === 'staff' || by.type === 'phone' ? 'staff' : 'other'

interface BubbleProps {
  message: Message
  contactId: number
  /** The last outgoing message: its delivery state is shown as text. */
  isLast: boolean
  isHit: boolean
}

/** One message, in the text direction of its content. */
export function MessageBubble({ message, contactId, isLast, isHit }: BubbleProps) {
  const { t, lang } = useLanguage()
  const variant = variantOf(message)
  const isOut = message.direction === 'outgoing'
  return (
    <Row
      id={message.id}
      isHit={isHit}
      variant={variant}
      actions={message.isQuotable && <BubbleActions message={message} contactId={contactId} />}
    >
      <span className="sr-only">{isOut ? authorOf(message, t) : t('inbox.by.customer')}: </span>
      {message.answers && (
        <p
          dir="auto"
          className={classes(
            'mb-1.5 flex items-center gap-1.5 border-s-3 ps-2 text-label',
            variant === 'staff' ? 'border-on-gulf' : 'border-aqua-ink text-ink-2',
          )}
        >
          <ReplyIcon size={14} aria-hidden="true" className="flex-none" />
          <span className="sr-only">{t('inbox.answers')} </span>
          <span className="line-clamp-2 min-w-0">{previewOf(message.answers, t)}</span>
        </p>
      )}
      <MessageContent message={message} contactId={contactId} />
      <p
        className={classes(
          'flex flex-wrap items-center justify-end gap-x-1.25 text-caption leading-normal',
          variant === 'staff' ? 'opacity-80' : 'text-ink-3',
        )}
      >
        {variant === 'other' && <BotIcon size={14} aria-hidden="true" />}
        {isOut && <bdi aria-hidden="true">{authorOf(message, t)}</bdi>}
        {message.editedAt && <span>{t('inbox.edited')}</span>}
        {message.channel !== 'whatsapp' && <span>{t(`inbox.channel.${message.channel}`)}</span>}
        <time dateTime={message.at}>
          <bdi>{clock(message.at, lang)}</bdi>
        </time>
        {isOut && <StatusSign status={message.status} inWords={isLast} />}
      </p>
      {isOut && (message.status === 'failed' || message.status === 'unknown') && (
        <FailedDelivery message={message} contactId={contactId} isDark={variant === 'staff'} />
      )}
      <Reactions message={message} />
    </Row>
  )
}

interface RowProps {
  id: number
  isHit: boolean
  variant: keyof typeof variants
  actions: ReactNode
  children: ReactNode
}

/** A bubble with its actions on the side of the conversation. */
const Row = ({ id, isHit, variant, actions, children }: RowProps) => (
  <li
    data-message={id}
    className={classes('group/row flex min-w-0 gap-1', variant !== 'incoming' && 'flex-row-reverse')}
  >
    <div className={classes(shape, variants[variant], isHit && 'outline-3 outline-focus')}>{children}</div>
    {actions}
  </li>
)

const icons = {
  queued: ClockIcon,
  unknown: WarningIcon,
  sent: CheckIcon,
  delivered: TwoTicksIcon,
  read: TwoTicksIcon,
  failed: WarningIcon,
  received: CheckIcon,
} as const

function StatusSign({ status, inWords }: { status: Message['status']; inWords: boolean }) {
  const { t } = useLanguage()
  const StateIcon = icons[status]
  return (
    <span className="inline-flex items-center gap-1" title={t(`inbox.status.${status}`)} data-status={status}>
      <span className={inWords || status === 'read' ? 'font-strong' : 'sr-only'}>{t(`inbox.status.${status}`)}</span>
      <StateIcon size={15} aria-hidden="true" />
    </span>
  )
}

/** Reason of the failure, with a retry button if a retry cannot send the message twice. */
function FailedDelivery({ message, contactId, isDark }: { message: Message; contactId: number; isDark: boolean }) {
  const { t } = useLanguage()
  const actions = useConversationActions(contactId)
  const [busy, setBusy] = useState(false)
  const { problem } = message
  return (
    <ErrorBox isDark={isDark}>
      <span>{t(message.status === 'unknown' ? 'inbox.unknown.hint' : 'inbox.failed.hint')}</span>
      {problem && (
        <bdi className="block opacity-80" title={[problem.code, problem.text].filter(Boolean).join(': ')}>
          {undeliveredReason(t, problem.code, problem.text)}
        </bdi>
      )}
      {message.isRetried && <span className="block">{t('inbox.retried')}</span>}
      {message.mayRetry && (
        <button
          type="button"
          aria-busy={busy || undefined}
          className="mt-1 flex min-h-7 items-center gap-1.5 font-strong underline max-md:min-h-tap"
          onClick={() => {
            if (busy) return
            setBusy(true)
            void actions.retry(message.id).finally(() => setBusy(false))
          }}
        >
          <AgainIcon size={15} aria-hidden="true" />
          {t('inbox.sendAgain')}
        </button>
      )}
    </ErrorBox>
  )
}

function ErrorBox({ isDark, children }: { isDark: boolean; children: ReactNode }) {
  return (
    <div className={classes('mt-1 border-t pt-1 text-caption', isDark ? 'border-current' : 'border-line text-clay')}>
      {children}
    </div>
  )
}

/** A reply that the server has not stored yet. */
export function PendingBubble({ pending }: { pending: Pending }) {
  const { t, lang } = useLanguage()
  const { key, text, file, at, problem } = pending
  return (
    <li className={classes(shape, variants.staff)} data-pending>
      {file && <PendingFile file={file} isSending={!problem} />}
      <p dir="auto" className="whitespace-pre-wrap">
        {text}
      </p>
      <p className="flex items-center justify-end gap-1.25 text-caption leading-normal opacity-80">
        <time dateTime={at}>
          <bdi>{clock(at, lang)}</bdi>
        </time>
        <span>{t(problem ? 'inbox.status.failed' : 'inbox.sending')}</span>
        {problem ? <WarningIcon size={15} aria-hidden="true" /> : <ClockIcon size={15} aria-hidden="true" />}
      </p>
      {problem && (
        <ErrorBox isDark>
          <span role="alert">{refusalText(t, { code: problem }, 'inbox')}</span>
          <span className="mt-1 flex gap-4">
            {problem === 'CONVERSATION_ANSWERED' && (
              <button
                type="button"
                className="min-h-7 font-strong underline max-md:min-h-tap"
                onClick={() => sendAnyway(pending)}
              >
                {t('inbox.sendAnyway')}
              </button>
            )}
            {isRetryable(problem) && (
              <button
                type="button"
                className="min-h-7 font-strong underline max-md:min-h-tap"
                onClick={() => sendAgain(key)}
              >
                {t('inbox.sendAgain')}
              </button>
            )}
            <button type="button" className="min-h-7 underline max-md:min-h-tap" onClick={() => forget(key)}>
              {t('inbox.drop')}
            </button>
          </span>
        </ErrorBox>
      )}
    </li>
  )
}

function PendingFile({ file: { key, file, preview, isVoice }, isSending }: { file: OutgoingFile; isSending: boolean }) {
  const { t } = useLanguage()
  const sent = useSelector(progressOf)[key]
  return (
    <div className="mb-1">
      {preview ? (
        <img src={preview} alt={file.name} className="max-h-60 rounded-[10px] object-cover" />
      ) : (
        <p className="flex items-center gap-2">
          <FileIcon size={18} aria-hidden="true" className="flex-none" />
          <bdi className="min-w-0 truncate">{isVoice ? t('inbox.type.voice') : file.name}</bdi>
        </p>
      )}
      {isSending && sent !== undefined && <Progress value={sent} label={t('inbox.uploading')} className="mt-1.5" />}
    </div>
  )
}
