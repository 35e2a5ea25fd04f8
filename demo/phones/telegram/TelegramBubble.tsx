import { formatTime } from '@qatra/contract/calendar/calendar'
import { isolated } from '@qatra/contract/lib/text'
import { useLang, useT } from '../../../web/lib/language/i18n.tsx'
import { classes } from '../../../web/ui/class-names.ts'
import type { SimulatedTelegramMessage } from '../../contract/telegram.ts'
import { linked } from '../message-parts.ts'

interface TelegramBubbleProps {
  message: SimulatedTelegramMessage
  /** The message that this one replies to. */
  answered: SimulatedTelegramMessage | null
}

/** Own messages are at the end, those of the bot and of others at the start. */
export function TelegramBubble({ message, answered }: TelegramBubbleProps) {
  const t = useT()
  const lang = useLang()
  const { author, name, text, event, createdAt } = message
  if (event !== null) {
    return (
      <p className="self-center rounded-full bg-surface px-3 py-1 text-center text-label text-ink-2">
        {t(`simulator.telegram.event.${event}`, { name: isolated(name ?? '') })}
      </p>
    )
  }
  const isOwn = author === 'self'
  return (
    <article
      className={classes(
        'grid w-fit max-w-[86%] gap-1 overflow-clip rounded-l px-3.5 py-2.5',
        isOwn ? 'self-end rounded-ee-s bg-gulf-soft inset-ring inset-ring-line' : 'self-start rounded-es-s bg-surface',
      )}
    >
      {author === 'other' && name !== null && (
        <p className="text-label font-strong text-gulf">
          <bdi>{name}</bdi>
        </p>
      )}
      {answered && (
        <p
          dir="auto"
          className="line-clamp-2 border-s-3 border-gulf ps-2 text-label wrap-anywhere text-ink-2 [unicode-bidi:plaintext]"
        >
          {answered.text}
        </p>
      )}
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
        {linked(text).map((part) =>
          part.href ? (
            <a key={part.href} href={part.href} dir="ltr" className="text-aqua-ink underline">
              {part.text}
            </a>
          ) : (
            part.text
          ),
        )}
      </p>
      <p className="justify-self-end text-label text-ink-3">
        <bdi>{formatTime(new Date(createdAt), lang)}</bdi>
      </p>
    </article>
  )
}
