import type { TemplatePart } from '@qatra/contract/whatsapp/templates/template-values'
import { FileIcon, ImageIcon } from '../../../ui/admin/icons.ts'

/** Place of a heading's picture or document. The file itself stays with its host, so that staff are not revealed to it. */
export function HeaderFile({ part, name }: { part: TemplatePart; name: string | null }) {
  const Sign = part === 'image' ? ImageIcon : FileIcon
  return (
    <p className="mb-2 grid min-h-20 place-items-center content-center gap-1 rounded-[10px] bg-well px-3 py-2 text-caption text-ink-3">
      <Sign size={24} aria-hidden="true" />
      <bdi className="max-w-full truncate">{name ?? '…'}</bdi>
    </p>
  )
}
