import type { FailedFeature } from '@qatra/contract/places/areas-admin'
import { type ReactNode, useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { FileDrop } from '../../ui/admin/form/FileDrop.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

export type FeatureFile = { type: 'FeatureCollection'; features: unknown[] }
interface Counted {
  created: number
  updated: number
  failed: FailedFeature[]
}
const MOST_SHOWN = 100

interface GeoJsonImportProps<Preview extends Counted> {
  title: string
  text: string
  /** Label of the button for this number of features. */
  take(count: number): string
  /** Why nothing can be imported from a file without valid features. */
  nothing: string
  /** Fields that are filled in before the file is chosen. */
  before?: ReactNode
  /** Why the file cannot be chosen yet. */
  waitsFor?: string | null
  check(file: FeatureFile): Promise<Preview>
  notesOn(preview: Preview): ReactNode
  /** Imports the valid features and closes the dialog. */
  onTake(file: FeatureFile): Promise<void>
  onClose(): void
}

/** Imports a GeoJSON file after a preview, completely or without the rejected features. */
export function GeoJsonImport<Preview extends Counted>(props: GeoJsonImportProps<Preview>) {
  const { title, text, take, nothing, before, waitsFor = null, check, notesOn, onTake, onClose } = props
  const t = useT()
  const [file, setFile] = useState<FeatureFile | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const { busy, problem, setProblem, run } = useAction(({ code, details }) => {
    const [words] = Object.values(details.fields ?? {})
    return words ?? t(code === 'TOO_LARGE' ? 'admin.areas.import.tooLarge' : 'admin.areas.failed')
  })
  const [chosen, setChosen] = useState<File | null>(null)

  async function choose(next: File | null) {
    setChosen(next)
    setPreview(null)
    setFile(null)
    setProblem(null)
    if (!next) return
    const read = fileIn(await next.text())
    if (!read) return setProblem(t('validation.featureCollection'))
    await run(async () => {
      setPreview(await check(read))
      setFile(read)
    })
  }
  const good = preview ? preview.created + preview.updated : 0
  const missing = !preview || !file ? t('admin.areas.import.choose') : good === 0 ? nothing : null
  return (
    <Dialog
      open
      className="max-w-150"
      title={title}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{
        label: take(good),
        busy,
        reason: waitsFor ?? missing,
        onChoose: () => file && void run(() => onTake(file)),
      }}
    >
      <div className="grid gap-4">
        <p>{text}</p>
        {before}
        {waitsFor === null && (
          <FileDrop
            label={t('admin.areas.import.file')}
            accept=".geojson,.json,application/geo+json,application/json"
            megabytes={4}
            value={chosen}
            error={problem}
            onChange={(next) => void choose(next)}
          />
        )}
        {preview && (
          <div className="grid gap-3" aria-live="polite">
            <Counts {...preview} />
            {notesOn(preview)}
          </div>
        )}
      </div>
    </Dialog>
  )
}

function fileIn(text: string): FeatureFile | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    const isCollection =
      typeof value === 'object' && value !== null && 'features' in value && Array.isArray(value.features)
    return isCollection ? (value as FeatureFile) : null // the server validates the rest
  } catch {
    return null
  }
}

function Counts({ created, updated, failed }: Counted) {
  const t = useT()
  return (
    <>
      <p className="font-strong text-ink">
        {t('admin.areas.import.counts', { created, updated, failed: new Set(failed.map(({ row }) => row)).size })}
      </p>
      {failed.length > 0 && <Problems failed={failed} />}
    </>
  )
}

function Problems({ failed }: { failed: readonly FailedFeature[] }) {
  const t = useT()
  return (
    <div className="max-h-60 overflow-y-auto rounded-m inset-ring inset-ring-line">
      <table className="w-full text-label">
        <thead className="sticky top-0 bg-well text-caption text-ink-3">
          <tr>
            <th className="w-14 px-3 py-1.5 text-start">{t('admin.areas.import.row')}</th>
            <th className="px-3 py-1.5 text-start">{t('admin.areas.import.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {failed.slice(0, MOST_SHOWN).map(({ row, field, reason }) => (
            <tr key={`${row} ${field}`} className="border-t border-line">
              <td className="px-3 py-1.5 align-top">{row}</td>
              <td className="px-3 py-1.5">
                {reason}
                <span dir="ltr" className="block text-start text-caption text-ink-3">
                  {field}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
