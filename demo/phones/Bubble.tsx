import { formatTime } from '@qatra/contract/calendar/calendar'
import { addressOf } from '../../web/lib/api-client.ts'
import { type MessageKey, useLang, useT } from '../../web/lib/language/i18n.tsx'
import { Phone } from '../../web/ui/Bidi.tsx'
import { classes } from '../../web/ui/class-names.ts'
import { CopyIcon, type Icon, SmsIcon, WarningIcon, WhatsAppIcon } from '../../web/ui/icons.tsx'
import { toast } from '../../web/ui/Toast.tsx'
import { getSimulatedFile, type SimulatedMessage } from '../contract/simulator.ts'
import { Choices } from './Choices.tsx'
import { FileName, fileTypeOf } from './FileName.tsx'
import { codeIn, linked } from './message-parts.ts'
import type { Written } from './written.ts'

const channels: Record<SimulatedMessage['channel'], { icon: Icon; name: MessageKey; look: string }> = {
  whatsapp: { icon: WhatsAppIcon, name: 'simulator.channel.whatsapp', look: 'bg-surface' },
  sms: { icon: SmsIcon, name: 'simulator.channel.sms', look: 'bg-well-2 inset-ring inset-ring-line-strong' },
  telegram: { icon: SmsIcon, name: 'simulator.channel.telegram', look: 'bg-surface' },
}

interface BubbleProps {
  message: SimulatedMessage
  /** Shows the recipient, for the log of all numbers. */
  showsPhone: boolean
  /** Set if the phone can answer: handles taps on offered choices. */
  onTap?: ((written: Written) => void) | undefined
  onLocation?: (() => void) | undefined
}

/** Messages of the shop are at the start, those of the customer at the end. */
export function Bubble({ message, showsPhone, onTap, onLocation }: BubbleProps) {
  const t = useT()
  const lang = useLang()
  const isOwn = message.direction === 'incoming'
  const { icon: Sign, name, look } = channels[message.channel]
  const code = isOwn ? null : codeIn(message.body)
  const { parts } = message
  const received = !isOwn && parts?.mimeType ? parts : null
  const file = isOwn && parts ? fileTypeOf(parts.type) : null
  // The choices are shown as buttons below, so the text leaves them out.
  const words = parts?.type === 'list' || parts?.type === 'buttons' ? (parts.text ?? message.body) : message.body
  return (
    <article
      className={classes(
        'grid w-fit max-w-[86%] gap-1.5 overflow-clip rounded-l px-3.5 py-2.5',
        isOwn ? 'self-end rounded-ee-s bg-gulf-soft inset-ring inset-ring-line' : 'self-start rounded-es-s',
        !isOwn && look,
      )}
    >
      <p className="flex flex-wrap items-center gap-x-1.5 text-label text-ink-3">
        <Sign size={15} aria-hidden="true" />
        {t(name)}
        {showsPhone && (
          <>
            <span className="whitespace-nowrap">{isOwn ? '·' : `· ${t('simulator.to')}`}</span>
            <Phone phone={isOwn ? message.from : message.to} />
          </>
        )}
      </p>
      {file && <FileName type={file} />}
      {received && <ReceivedFile id={message.id} parts={received} />}
      {!isOwn && parts?.lat !== undefined && (
        <a
          href={`https://www.google.com/maps/search/?api=1&query=${parts.lat},${parts.lng}`}
          target="_blank"
          rel="noreferrer"
          dir="ltr"
          className="text-aqua-ink underline"
        >
          {parts.lat}, {parts.lng}
        </a>
      )}
      {words !== '' && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
          {linked(words).map(({ text, href }) =>
            href ? (
              <a key={href} href={href} dir="ltr" className="text-aqua-ink underline">
                {text}
              </a>
            ) : (
              text
            ),
          )}
        </p>
      )}
      <div className="flex items-center justify-between gap-3">
        {code ? <CopyCode code={code} /> : <span />}
        <p className="flex items-center gap-1 text-label text-ink-3">
          {message.status === 'failed' && (
            <>
              <WarningIcon size={14} aria-hidden="true" className="text-clay" />
              <span className="text-clay">{t('simulator.status.failed')}</span>
            </>
          )}
          <bdi>{formatTime(new Date(message.createdAt), lang)}</bdi>
        </p>
      </div>
      {!isOwn && onTap && onLocation && <Choices message={message} onTap={onTap} onLocation={onLocation} />}
    </article>
  )
}

/** A picture, sound, video or document of the shop. */
function ReceivedFile({ id, parts }: { id: string; parts: NonNullable<SimulatedMessage['parts']> }) {
  const t = useT()
  const address = addressOf(getSimulatedFile.path, { params: { id } })
  const [kind] = parts.mimeType?.split('/') ?? []
  if (kind === 'image') {
    return (
      <a href={address} target="_blank" rel="noreferrer">
        <img src={address} alt={t('simulator.file.image')} className="max-h-60 rounded-m object-contain" />
      </a>
    )
  }
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- what staff record has no captions
  if (kind === 'audio') return <audio controls src={address} className="w-60 max-w-full" />
  return (
    <a href={address} download className="text-aqua-ink underline">
      <bdi>{parts.filename ?? t('simulator.file.document')}</bdi>
    </a>
  )
}

function CopyCode({ code }: { code: string }) {
  const t = useT()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      toast({ title: t('simulator.copied', { code }) })
    } catch {
      toast({ title: t('simulator.notCopied', { code }), tone: 'error' })
    }
  }
  return (
    <button
      type="button"
      onClick={() => void copy()}
      className="flex h-tap items-center gap-2 rounded-m bg-gulf px-3.5 font-strong text-on-gulf"
    >
      <CopyIcon size={18} aria-hidden="true" />
      {t('simulator.copy', { code })}
    </button>
  )
}
