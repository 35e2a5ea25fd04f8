import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { useT } from '../../../lib/language/i18n.tsx'
import { FileIcon, ReplyIcon, VoiceIcon } from '../../../ui/admin/icons.ts'
import { Button } from '../../../ui/Button.tsx'
import { BinIcon, CloseIcon, SendIcon } from '../../../ui/icons.tsx'
import { fileSize, playTime } from '../thread/file-words.ts'
import { authorOf, previewOf } from '../thread/message-words.ts'
import type { OutgoingFile } from './outgoing-files.ts'

const close = 'grid size-8 flex-none place-items-center rounded-s hover:bg-well max-md:size-tap'

/** The quoted message above the reply field. */
export function QuotedMessage({ message, onRemove }: { message: Message; onRemove(): void }) {
  const t = useT()
  const who = message.direction === 'incoming' ? t('inbox.by.customer') : authorOf(message, t)
  return (
    <div className="mb-2 flex items-center gap-2 rounded-s border-s-3 border-aqua-ink bg-well ps-2.5">
      <ReplyIcon size={15} aria-hidden="true" className="flex-none text-ink-3" />
      <p className="min-w-0 flex-1 truncate text-label">
        <span className="sr-only">{t('inbox.quoting')} </span>
        <b className="font-strong">
          <bdi>{who}</bdi>
        </b>{' '}
        <bdi className="text-ink-2">{previewOf(message, t)}</bdi>
      </p>
      <button type="button" className={close} aria-label={t('inbox.quote.remove')} onClick={onRemove}>
        <CloseIcon size={16} aria-hidden="true" />
      </button>
    </div>
  )
}

/** The files that the next reply sends. */
export function AttachedFiles({ files, onRemove }: { files: readonly OutgoingFile[]; onRemove(key: string): void }) {
  const t = useT()
  if (files.length === 0) return null
  return (
    <ul aria-label={t('inbox.attached')} className="mb-2 flex flex-wrap gap-2">
      {files.map(({ key, file, preview }) => (
        <li key={key} className="flex max-w-full items-center gap-2 rounded-s bg-well p-1.5">
          {preview ? (
            <img src={preview} alt="" className="size-12 flex-none rounded-s object-cover" />
          ) : (
            <FileIcon size={22} aria-hidden="true" className="mx-1 flex-none text-ink-2" />
          )}
          <span className="min-w-0 text-label">
            <bdi className="block max-w-44 truncate">{file.name}</bdi>
            <span className="text-caption text-ink-3">{fileSize(file.size, t)}</span>
          </span>
          <button
            type="button"
            className={close}
            aria-label={t('inbox.attach.remove', { name: file.name })}
            onClick={() => onRemove(key)}
          >
            <CloseIcon size={16} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface RecordingProps {
  seconds: number
  onCancel(): void
  onSend(): void
}

/** Takes the place of the reply field while a voice message is recorded. */
export function RecordingBar({ seconds, onCancel, onSend }: RecordingProps) {
  const t = useT()
  return (
    <div className="flex items-center gap-2.5 rounded-m bg-surface p-1.5 ps-3 inset-ring inset-ring-line-strong">
      <VoiceIcon size={18} aria-hidden="true" className="flex-none text-clay" />
      <p role="status" className="flex-1">
        {t('inbox.recording')}{' '}
        <bdi dir="ltr" aria-hidden="true">
          {playTime(seconds)}
        </bdi>
      </p>
      <button type="button" className={close} aria-label={t('inbox.recording.cancel')} onClick={onCancel}>
        <BinIcon size={18} aria-hidden="true" />
      </button>
      <Button size="small" tone="aqua" icon={SendIcon} onClick={onSend}>
        {t('inbox.send')}
      </Button>
    </div>
  )
}
