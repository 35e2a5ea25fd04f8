import { getMessageFile } from '@qatra/contract/whatsapp/inbox/files'
import type { MessageFile as File, Message } from '@qatra/contract/whatsapp/inbox/message'
import { type ReactNode, useState } from 'react'
import { addressOf } from '../../../lib/api-client.ts'
import { type Translate, useT } from '../../../lib/language/i18n.tsx'
import { FileIcon } from '../../../ui/admin/icons.ts'
import { AgainIcon, DownloadIcon, type Icon } from '../../../ui/icons.tsx'
import { useConversationActions } from '../chat/use-conversation-actions.ts'
import { fileSize, playTime } from './file-words.ts'
import { kindOf } from './message-words.ts'

interface FileProps {
  message: Message
  file: File
  contactId: number
}

/** Audio or video player or a download link; for a missing file, its kind and the reason. */
export function MessageFile({ message, file, contactId }: FileProps) {
  const t = useT()
  const address = addressOf(getMessageFile.path, { params: { id: message.id } })
  if (file.state !== 'kept') return <NamedFile message={message} file={file} contactId={contactId} />
  const kind = file.mimeType?.split('/')[0]
  if (kind !== 'audio' && kind !== 'video') return <SavedFile message={message} file={file} address={address} />
  return <Player kind={kind} name={nameOf(message, t)} file={file} address={address} />
}

function nameOf({ type, parts }: Message, t: Translate): string {
  const kind = kindOf(type)
  return parts.filename ?? t(parts.isVoice || !kind ? 'inbox.type.voice' : kind.label)
}

interface Placed {
  file: File
  address: string
}

/** Uses the browser's player, which supports the system's keys and range requests. */
function Player({ kind, name, file, address }: Placed & { kind: 'audio' | 'video'; name: string }) {
  const t = useT()
  const [isBroken, setBroken] = useState(false)
  if (isBroken) {
    return (
      <FileRow icon={kindOf(kind)?.icon ?? FileIcon} name={name}>
        <span>{t('inbox.file.unplayable')}</span>{' '}
        <a href={address} download className="inline-block min-h-6 font-strong underline">
          {t('inbox.file.save')}
        </a>
      </FileRow>
    )
  }
  const settings = { controls: true, src: address, 'aria-label': name, onError: () => setBroken(true) } as const
  return (
    <div className="mb-1 w-76 max-w-full">
      {kind === 'video' ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what customers record has no captions
        <video
          {...settings}
          preload="metadata"
          playsInline
          className="-mx-1.5 -mt-0.5 aspect-video w-[calc(100%+0.75rem)] max-w-none rounded-[10px] bg-well object-contain"
        />
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what customers record has no captions
        <audio {...settings} preload="none" className="h-11 w-full" />
      )}
      <p className="mt-0.5 flex gap-x-2 text-caption opacity-80">
        {file.seconds !== null && <bdi dir="ltr">{playTime(file.seconds)}</bdi>}
        {file.size !== null && <span>{fileSize(file.size, t)}</span>}
      </p>
    </div>
  )
}

function SavedFile({ message, file, address }: Placed & { message: Message }) {
  const t = useT()
  return (
    <a
      href={address}
      download
      className="mb-1 flex min-h-tap w-76 max-w-full items-center gap-2.5 rounded-[10px] bg-well px-3 py-2 text-ink hover:bg-well-2"
    >
      <FileIcon size={22} aria-hidden="true" className="flex-none text-ink-2" />
      <span className="min-w-0 flex-1">
        <span className="sr-only">{t('inbox.file.save')}: </span>
        <bdi className="line-clamp-2 wrap-break-word whitespace-normal">{nameOf(message, t)}</bdi>
        {file.size !== null && <span className="block text-caption text-ink-3">{fileSize(file.size, t)}</span>}
      </span>
      <DownloadIcon size={18} aria-hidden="true" className="flex-none text-ink-2" />
    </a>
  )
}

function NamedFile({ message, file, contactId }: FileProps) {
  const t = useT()
  const actions = useConversationActions(contactId)
  const [busy, setBusy] = useState(false)
  const retry = () => {
    if (busy) return
    setBusy(true)
    void actions.refetch(message.id).finally(() => setBusy(false))
  }
  return (
    <FileRow icon={kindOf(message.type)?.icon ?? FileIcon} name={nameOf(message, t)}>
      <span>{file.problem ? t(`inbox.file.problem.${file.problem}`) : t('inbox.file.fetching')}</span>
      {file.size !== null && <span className="whitespace-nowrap"> {fileSize(file.size, t)}</span>}
      {file.mayRetry && (
        <button
          type="button"
          aria-busy={busy || undefined}
          onClick={retry}
          className="mt-0.5 flex min-h-7 items-center gap-1.5 font-strong text-ink underline max-md:min-h-tap"
        >
          <AgainIcon size={15} aria-hidden="true" />
          {t('inbox.file.fetch')}
        </button>
      )}
    </FileRow>
  )
}

function FileRow({ icon: Sign, name, children }: { icon: Icon; name: string; children: ReactNode }) {
  return (
    <div className="mb-0.5 flex items-start gap-2">
      <Sign size={18} aria-hidden="true" className="mt-1 flex-none" />
      <div className="min-w-0">
        <bdi className="line-clamp-2 wrap-break-word whitespace-normal">{name}</bdi>
        <div className="text-caption text-ink-2">{children}</div>
      </div>
    </div>
  )
}
