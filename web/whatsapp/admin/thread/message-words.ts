import type { MessageKey } from '@qatra/contract/message-key'
import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import type { Translate } from '../../../lib/language/i18n.tsx'
import { FileIcon, ImageIcon, VideoIcon, VoiceIcon } from '../../../ui/admin/icons.ts'
import type { Icon } from '../../../ui/icons.tsx'
import { CartIcon, CloseIcon, PhoneIcon, PinIcon } from '../../../ui/icons.tsx'

interface Kind {
  label: MessageKey
  icon: Icon
}

/** Label and icon of messages that are not text. */
const kinds: Readonly<Record<string, Kind>> = {
  image: { label: 'inbox.type.image', icon: ImageIcon },
  video: { label: 'inbox.type.video', icon: VideoIcon },
  sticker: { label: 'inbox.type.sticker', icon: ImageIcon },
  audio: { label: 'inbox.type.audio', icon: VoiceIcon },
  document: { label: 'inbox.type.document', icon: FileIcon },
  location: { label: 'inbox.type.location', icon: PinIcon },
  contacts: { label: 'inbox.type.contacts', icon: PhoneIcon },
  order: { label: 'inbox.type.order', icon: CartIcon },
  flow: { label: 'inbox.type.flow', icon: FileIcon },
  revoked: { label: 'inbox.type.revoked', icon: CloseIcon },
  unsupported: { label: 'inbox.type.unsupported', icon: FileIcon },
}

export const kindOf = (type: string): Kind | null => kinds[type] ?? null

const undelivered = ['131026', '131049', '131050', '130472', '131053'] as const

/** Why the provider did not deliver a message: in words for the usual codes, else as the provider says it. */
export function undeliveredReason(t: Translate, code: string | null, text: string | null): string | null {
  const known = undelivered.find((one) => one === code)
  return known ? t(`admin.undelivered.${known}`) : [code, text].filter(Boolean).join(': ') || null
}

/** One-line preview for the list. */
export function previewOf({ type, text }: { type: string; text: string }, t: Translate): string {
  const kind = kindOf(type)
  if (type === 'location' || type === 'contacts' || type === 'unsupported') return kind ? t(kind.label) : text
  if (type === 'reaction')
    return text === '' ? t('inbox.type.reaction.removed') : t('inbox.type.reaction', { emoji: text })
  const words = text.replace(/\s+/g, ' ').trim()
  return kind ? [t(kind.label), words].filter(Boolean).join(' · ') : words
}

/** Author of a message that the customer did not send. */
export function authorOf({ by }: Pick<Message, 'by'>, t: Translate): string {
  return by.type === 'staff' ? (by.user?.name ?? t('inbox.by.staff')) : t(`inbox.by.${by.type}`)
}
