import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { Field } from '../../Field.tsx'
import { CloseIcon } from '../../icons.tsx'
import { UploadIcon } from '../icons.ts'

interface FileDropProps {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  value: File | null
  onChange(file: File | null): void
  /** As the `accept` attribute of an input: `.csv,.json` or `image/png,image/jpeg`. */
  accept: string
  megabytes: number
  className?: string
}

/** Whether a file is of an accepted kind, by its name or its type. The server checks the content. */
export function isAccepted(file: Pick<File, 'name' | 'type'>, accept: string): boolean {
  return accept.split(',').some((text) => {
    const kind = text.trim().toLowerCase()
    if (kind.startsWith('.')) return file.name.toLowerCase().endsWith(kind)
    return kind.endsWith('/*') ? file.type.startsWith(kind.slice(0, -1)) : file.type === kind
  })
}

/** File input with drag and drop; rejects a size or kind that the server would reject. */
export function FileDrop({ label, hint, error, value, onChange, accept, megabytes, className }: FileDropProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const take = (file: File | undefined) => {
    if (!file) return
    const found = !isAccepted(file, accept)
      ? t('admin.form.fileWrongType')
      : file.size > megabytes * 1_000_000
        ? t('admin.form.fileTooLarge', { megabytes })
        : null
    setProblem(found)
    onChange(found === null ? file : null)
  }
  return (
    <Field label={label} hint={hint} error={problem ?? error} className={className}>
      {(described) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping works in addition to the input.
        <div
          className={classes(
            'relative grid min-h-28 content-center justify-items-center gap-1 rounded-m border-[1.5px] border-dashed p-4 text-center has-focus-visible:outline-2 has-focus-visible:outline-focus',
            isOver ? 'border-gulf bg-gulf-soft' : problem || error ? 'border-clay' : 'border-line-strong',
          )}
          onDragOver={(event) => {
            event.preventDefault()
            setIsOver(true)
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setIsOver(false)
            take(event.dataTransfer.files[0])
          }}
        >
          <UploadIcon size={22} aria-hidden="true" className="text-ink-3" />
          <span className="max-w-full truncate leading-relaxed">
            {value ? <bdi className="font-strong">{value.name}</bdi> : <b>{t('admin.form.fileChoose')}</b>}
          </span>
          {!value && <span className="text-ink-3">{t('admin.form.fileDrop')}</span>}
          <input
            {...described}
            ref={input}
            type="file"
            accept={accept}
            className="absolute inset-0 cursor-pointer opacity-0"
            onChange={(event) => take(event.target.files?.[0])}
          />
          {value && (
            <button
              type="button"
              aria-label={t('admin.form.fileRemove', { name: value.name })}
              className="absolute end-2 top-2 grid size-8 place-items-center rounded-s text-ink-2 hover:bg-well"
              onClick={() => {
                onChange(null)
                if (input.current) input.current.value = ''
              }}
            >
              <CloseIcon size={16} aria-hidden="true" />
            </button>
          )}
        </div>
      )}
    </Field>
  )
}
