import { FileText as FileIcon, Image as ImageIcon, Video as VideoIcon, Mic as VoiceIcon } from 'lucide-react'
import { useT } from '../../web/lib/language/i18n.tsx'
import type { Icon } from '../../web/ui/icons.tsx'

/** Message types that carry a file. */
export const fileTypes = ['image', 'audio', 'video', 'document'] as const
export type FileType = (typeof fileTypes)[number]
export const fileTypeOf = (type: string): FileType | null => fileTypes.find((one) => one === type) ?? null

const icons: Record<FileType, Icon> = { image: ImageIcon, audio: VoiceIcon, video: VideoIcon, document: FileIcon }

export function FileName({ type }: { type: FileType }) {
  const t = useT()
  const Sign = icons[type]
  return (
    <span className="inline-flex items-center gap-1.5">
      <Sign size={16} aria-hidden="true" className="shrink-0" />
      {t(`simulator.file.${type}`)}
    </span>
  )
}
