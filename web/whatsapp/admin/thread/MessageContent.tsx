import { formatSize } from '@qatra/contract/products/sizes'
import { getMessagePicture } from '@qatra/contract/whatsapp/inbox/inbox'
import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { useInLang } from '../../../app/names.ts'
import { addressOf } from '../../../lib/api-client.ts'
import { useLang, useT } from '../../../lib/language/i18n.tsx'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { ClipIcon } from '../../../ui/admin/icons.ts'
import { MessageFile } from './MessageFile.tsx'
import { kindOf } from './message-words.ts'

/** Renders text between asterisks in bold, as WhatsApp does. */
function Words({ text }: { text: string }) {
  const parts = text.split(/(?<![\p{L}\p{N}])\*(\S|\S[^*\n]*\S)\*(?![\p{L}\p{N}])/u)
  // Every second part was between asterisks. Parts have no identity but their index.
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      <strong key={`${at} ${part}`} className="font-strong">
        {part}
      </strong>
    ) : (
      part
    ),
  )
}

const pictureOf = ({ id }: Message) => addressOf(getMessagePicture.path, { params: { id } })

/** Products that the customer chose in WhatsApp's catalogue. */
function OrderedItems({ items }: { items: NonNullable<Message['parts']['items']> }) {
  const inLang = useInLang()
  const lang = useLang()
  return (
    <ul>
      {items.map(({ id, name, nameAr, size, quantity }) => (
        <li key={id} dir="auto">
          {quantity} × {name === null ? id : `${inLang(name, nameAr)}${size ? ` · ${formatSize(size, lang)}` : ''}`}
        </li>
      ))}
    </ul>
  )
}

interface ContentProps {
  message: Message
  contactId: number
}

/** Content of a message: text, picture, audio, video, file, or a location as a map link. */
export function MessageContent({ message, contactId }: ContentProps) {
  const t = useT()
  const { type, text, parts } = message
  if (type === 'reaction') return <p>{t('inbox.type.reaction', { emoji: text })}</p>
  const kind = kindOf(type)
  const isPlace = type === 'location' && parts.lat !== undefined && parts.lng !== undefined
  // A document without a caption has its file name as text, a voice message what was heard; both are shown above.
  const isShown = text === (type === 'document' ? parts.filename : parts.transcript)
  return (
    <>
      {parts.template && <p className="mb-0.5 text-caption opacity-80">{t('inbox.type.template')}</p>}
      {parts.template && parts.filename && (
        <p className="mb-1 flex items-center gap-2">
          <ClipIcon size={18} aria-hidden="true" className="flex-none" />
          <bdi className="wrap-anywhere">{parts.filename}</bdi>
        </p>
      )}
      {parts.picture && (
        <a
          href={pictureOf(message)}
          target="_blank"
          rel="noreferrer"
          className="-mx-1.5 -mt-0.5 mb-1 block overflow-hidden rounded-[10px]"
        >
          <img
            src={pictureOf(message)}
            alt={t(kind?.label ?? 'inbox.type.image')}
            width={parts.picture.width}
            height={parts.picture.height}
            loading="lazy"
            className="h-auto max-h-80 w-full max-w-full object-cover"
          />
        </a>
      )}
      {parts.file && <MessageFile message={message} file={parts.file} contactId={contactId} />}
      {parts.transcript && (
        <p className="mb-1 w-76 max-w-full wrap-anywhere">
          <span className="block text-caption text-ink-3">{t('inbox.transcript')}</span>
          <bdi dir="auto" className="block whitespace-pre-wrap">
            {parts.transcript}
          </bdi>
        </p>
      )}
      {kind && !parts.picture && !parts.file && (
        <p className="flex items-center gap-2">
          <kind.icon size={18} aria-hidden="true" className="flex-none" />
          {isPlace ? (
            <a
              href={`https://www.google.com/maps/search/?api=1&query=${parts.lat},${parts.lng}`}
              target="_blank"
              rel="noreferrer"
              className="min-h-6 underline"
            >
              <bdi>{parts.place ?? t('inbox.type.location')}</bdi>
            </a>
          ) : (
            <bdi>{parts.filename ?? t(parts.isVoice ? 'inbox.type.voice' : kind.label)}</bdi>
          )}
        </p>
      )}
      {type === 'contacts' &&
        parts.phones?.map((phone) => (
          <p key={phone}>
            <bdi dir="ltr">{phone}</bdi>
          </p>
        ))}
      {parts.items && <OrderedItems items={parts.items} />}
      {parts.answers && <DescriptionList items={parts.answers.map(({ name, value }) => [name, value])} />}
      {isPlace && (
        <p className="text-caption opacity-80">
          <bdi dir="ltr">
            {parts.lat}, {parts.lng}
          </bdi>
        </p>
      )}
      {parts.header && type !== 'template' && (
        <p dir="auto" className="font-strong">
          {parts.header}
        </p>
      )}
      {text !== '' && !isPlace && !isShown && type !== 'contacts' && (
        <p dir="auto" className="whitespace-pre-wrap">
          <Words text={text} />
        </p>
      )}
      {parts.footer && (
        <p dir="auto" className="text-caption opacity-80">
          {parts.footer}
        </p>
      )}
      {parts.choices && parts.choices.length > 0 && (
        <ul aria-label={t('inbox.choices')} className="mt-1.5 mb-1 flex flex-wrap gap-1.5">
          {parts.choices.map((choice) => (
            <li key={choice} dir="auto" className="rounded-s bg-well px-2 py-0.5 text-label text-ink">
              {choice}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
