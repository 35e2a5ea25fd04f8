import { PICTURE_BYTES, uploadPicture } from '@qatra/contract/products/admin'
import { type ReactNode, useState } from 'react'
import { CallError } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { sendFile } from '../../lib/send-file.ts'
import { FileDrop } from '../../ui/admin/form/FileDrop.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Progress } from '../../ui/Progress.tsx'

interface PictureFieldProps {
  value: string
  error: string | undefined
  /** Fetch state of the stored address. */
  note?: ReactNode
  onChange(url: string): void
}

/** Picture by address or by upload; the shop stores an upload in a smaller size. */
export function PictureField({ value, error, note, onChange }: PictureFieldProps) {
  const t = useT()
  const [sent, setSent] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function send(file: File | null) {
    setProblem(null)
    if (!file) return
    setSent(0)
    try {
      const { url } = await sendFile(uploadPicture, { file, field: 'picture', onProgress: setSent })
      onChange(url)
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      const fileError = failure.details.fields?.['file']
      setProblem(
        fileError ?? t(failure.code === 'TOO_LARGE' ? 'adminProducts.pictureTooLarge' : 'adminProducts.pictureFailed'),
      )
    } finally {
      setSent(null)
    }
  }

  const percent = Math.round((sent ?? 0) * 100)
  return (
    <div className="grid gap-4">
      <TextField
        label={t('adminProducts.imageUrl')}
        hint={t('adminProducts.imageUrlHint')}
        error={error}
        name="imageUrl"
        ltr
        type="text"
        inputMode="url"
        autoComplete="off"
        maxLength={500}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {note}
      <FileDrop
        label={t('adminProducts.pictureFile')}
        hint={t('adminProducts.pictureHint')}
        error={problem}
        value={null}
        accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
        megabytes={PICTURE_BYTES / 1_000_000}
        onChange={(file) => void send(file)}
      />
      <div aria-live="polite">
        {sent !== null && <Progress value={sent} label={t('adminProducts.pictureSending', { percent })} />}
      </div>
      {value !== '' && (
        <ToolbarButton className="justify-self-start" onClick={() => onChange('')}>
          {t('adminProducts.pictureRemove')}
        </ToolbarButton>
      )}
    </div>
  )
}
