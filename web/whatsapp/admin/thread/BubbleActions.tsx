import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../../lib/language/i18n.tsx'
import { ReactIcon, ReplyIcon } from '../../../ui/admin/icons.ts'
import { Popover } from '../../../ui/admin/Popover.tsx'
import { classes } from '../../../ui/class-names.ts'
import { send } from '../composer/outbox.ts'
import { useQuoting } from '../composer/quoting.ts'

const emojis = ['👍', '❤️', '🙏', '😊', '😢', '✅'] as const
const button =
  'grid size-8 place-items-center rounded-full text-ink-3 hover:bg-well-2 max-md:size-tap aria-expanded:bg-well-2'

interface ActionProps {
  message: Message
  contactId: number
}

/** Quotes a message or reacts to it; visible on hover, focus and touch screens. */
export function BubbleActions({ message, contactId }: ActionProps) {
  const t = useT()
  const queries = useQueryClient()
  const { quote } = useQuoting()
  if (!quote) return null
  const own = message.parts.reactions?.find(({ isOwn }) => isOwn)?.emoji
  const react = (emoji: string) =>
    send(queries, {
      contactId,
      reply: { reaction: { messageId: message.id, emoji: emoji === own ? null : emoji } },
      text: emoji,
    })
  return (
    <span className="flex self-center opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100">
      <button
        type="button"
        className={button}
        aria-label={t('inbox.quote')}
        title={t('inbox.quote')}
        onClick={() => quote(message)}
      >
        <ReplyIcon size={16} aria-hidden="true" />
      </button>
      <Popover
        label={t('inbox.react')}
        className="min-w-0"
        trigger={
          <button type="button" className={button} aria-label={t('inbox.react')} title={t('inbox.react')}>
            <ReactIcon size={16} aria-hidden="true" />
          </button>
        }
      >
        {(close) => (
          <span className="flex gap-0.5">
            {emojis.map((emoji) => (
              <button
                key={emoji}
                type="button"
                aria-pressed={emoji === own}
                className={classes(
                  'grid size-tap place-items-center rounded-m text-heading hover:bg-well aria-pressed:bg-gulf-soft',
                )}
                onClick={() => {
                  close()
                  react(emoji)
                }}
              >
                {emoji}
              </button>
            ))}
          </span>
        )}
      </Popover>
    </span>
  )
}

/** The reactions below a message. */
export function Reactions({ message }: { message: Message }) {
  const t = useT()
  const { reactions } = message.parts
  if (!reactions || reactions.length === 0) return null
  return (
    <p className="mt-0.5 flex gap-1">
      {reactions.map(({ emoji, isOwn }) => (
        <span key={String(isOwn)} className="rounded-full bg-well px-1.5 text-label text-ink">
          <span className="sr-only">{t(isOwn ? 'inbox.reaction.own' : 'inbox.reaction.customer')} </span>
          {emoji}
        </span>
      ))}
    </p>
  )
}
