import { type ReactNode, useState } from 'react'
import { CallError } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import type { Sending } from '../../../lib/send-file.ts'
import { TextField } from '../../Field.tsx'
import { Progress } from '../../Progress.tsx'
import { ToolbarButton } from '../ToolbarButton.tsx'
import { FileDrop } from './FileDrop.tsx'

interface FileFieldProps {
  label: string
  hint?: ReactNode
  error: string | undefined
  name?: string | undefined
  maxLength: number
  /** An address on the web, or of a file that the shop stores. */
  value: string
  onChange(url: string): void
  fileLabel: string
  fileHint: string
  accept: string
  megabytes: number
  send(sending: Pick<Sending, 'file' | 'onProgress'>): Promise<{ url: string }>
  removeLabel: string
  /** The stored file, in place of both ways to give one. */
  stored?: ReactNode
  note?: ReactNode
}

/** File by address or by upload, which the shop stores. */
export function FileField({ label, hint, error, name, maxLength, value, onChange, ...props }: FileFieldProps) {
  const { fileLabel, fileHint, accept, megabytes, send, removeLabel, stored, note } = props
  const t = useT()
  const [sent, setSent] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function upload(file: File | null) {
    setProblem(null)
    if (!file) return
    setSent(0)
    try {
      const { url } = await send({ file, onProgress: setSent })
      onChange(url)
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      const fileError = failure.details.fields?.['file']
      const isLarge = failure.code === 'TOO_LARGE'
      setProblem(fileError ?? (isLarge ? t('admin.form.fileTooLarge', { megabytes }) : t('admin.form.fileFailed')))
    } finally {
      setSent(null)
    }
  }

  const percent = Math.round((sent ?? 0) * 100)
  return (
    <div className="grid gap-4">
      {stored ? (
        <div role="group" aria-label={label} className="grid gap-2">
          <span aria-hidden="true" className="text-label font-strong">
            {label}
          </span>
          {stored}
          {error && <p className="text-clay">{error}</p>}
        </div>
      ) : (
        <>
          <FileDrop
            label={fileLabel}
            hint={fileHint}
            error={problem}
            value={null}
            accept={accept}
            megabytes={megabytes}
            onChange={(file) => void upload(file)}
          />
          <TextField
            label={label}
            hint={hint}
            error={error}
            name={name}
            ltr
            type="text"
            inputMode="url"
            autoComplete="off"
            maxLength={maxLength}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          {note}
        </>
      )}
      <div aria-live="polite" className={sent === null ? 'sr-only' : undefined}>
        {sent !== null && <Progress value={sent} label={t('admin.form.fileSending', { percent })} />}
      </div>
      {value !== '' && (
        <ToolbarButton className="justify-self-start" onClick={() => onChange('')}>
          {removeLabel}
        </ToolbarButton>
      )}
    </div>
  )
}
