import { storedHeadingOf } from '@qatra/contract/media'
import { fileNameOf, longestValue, type TemplatePart } from '@qatra/contract/whatsapp/templates/template-values'
import { SAMPLE_BYTES, uploadHeadingFile } from '@qatra/contract/whatsapp/templates/templates'
import { useT } from '../../../lib/language/i18n.tsx'
import { sendFile } from '../../../lib/send-file.ts'
import { FileField } from '../../../ui/admin/form/FileField.tsx'
import { FileIcon, ImageIcon } from '../../../ui/admin/icons.ts'

interface HeaderFileProps {
  part: TemplatePart
  address: string
  /** Of a file that was just chosen; otherwise the address has it. */
  name?: string | undefined
}

/** A heading's picture or document. A file of another site stays there, so that staff are not revealed to its host. */
export function HeaderFile({ part, address, name = fileNameOf(address.trim()) ?? '…' }: HeaderFileProps) {
  const t = useT()
  const Sign = part === 'image' ? ImageIcon : FileIcon
  if (part === 'image' && storedHeadingOf(address.trim()) !== null) {
    return (
      <img
        src={address.trim()}
        alt={t('admin.heading.picture')}
        className="mb-2 max-h-60 w-full rounded-[10px] bg-well object-contain"
      />
    )
  }
  return (
    <p className="mb-2 grid min-h-20 place-items-center content-center gap-1 rounded-[10px] bg-well px-3 py-2 text-caption text-ink-3">
      <Sign size={24} aria-hidden="true" />
      <bdi className="max-w-full truncate">{name}</bdi>
    </p>
  )
}

export const headingTypes = { image: 'image/jpeg,image/png,image/webp', document: 'application/pdf' } as const

interface HeadingFieldProps {
  part: 'image' | 'document'
  label: string
  error?: string | undefined
  value: string
  onChange(url: string): void
}

/** The file of a heading: chosen, and then kept by the shop, or its address on the web. */
export function HeadingField({ part, label, error, value, onChange }: HeadingFieldProps) {
  const t = useT()
  const isStored = storedHeadingOf(value.trim()) !== null
  return (
    <FileField
      label={isStored ? label : t('admin.heading.address')}
      error={error}
      maxLength={longestValue[part]}
      value={value}
      onChange={onChange}
      fileLabel={label}
      fileHint={t(`admin.heading.${part}.hint`)}
      accept={headingTypes[part]}
      megabytes={SAMPLE_BYTES / 1_000_000}
      send={(sending) => sendFile(uploadHeadingFile, sending)}
      removeLabel={t('admin.heading.remove')}
      stored={isStored ? <HeaderFile part={part} address={value} /> : undefined}
    />
  )
}
