import { type FailedFeature, importAreas } from '@qatra/contract/areas-admin'
import type { Output } from '@qatra/contract/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { call } from '../../lib/api-client.ts'
import { useAction } from '../../lib/use-action.ts'
import { FileDrop } from '../../ui/admin/FileDrop.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { refreshAreas } from './api.ts'

type Preview = Output<typeof importAreas>
type FeatureFile = { type: 'FeatureCollection'; features: unknown[] }
const MOST_SHOWN = 100

/** Imports a GeoJSON file after a preview, completely or without the rejected areas. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const [file, setFile] = useState<FeatureFile | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const { busy, problem, setProblem, run } = useAction(({ code, details }) => {
    const [words] = Object.values(details.fields ?? {})
    return words ?? t(code === 'TOO_LARGE' ? 'admin.areas.import.tooLarge' : 'admin.areas.failed')
  })
  const [chosen, setChosen] = useState<File | null>(null)

  async function check(next: File | null) {
    setChosen(next)
    setPreview(null)
    setFile(null)
    setProblem(null)
    if (!next) return
    const body = fileIn(await next.text())
    if (!body) return setProblem(t('validation.featureCollection'))
    await run(async () => {
      setPreview(await call(importAreas, { query: { dryRun: 'true' }, body }))
      setFile(body)
    })
  }
  const take = (body: FeatureFile) =>
    run(async () => {
      const { created, updated } = await call(importAreas, { query: { partial: 'true' }, body })
      toast({ title: t('admin.areas.import.done', { created, updated }) })
      await refreshAreas(queries)
      onClose()
    })

  const good = preview ? preview.created + preview.updated : 0
  return (
    <Dialog
      open
      className="max-w-150"
      title={t('admin.areas.import')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{
        label: t('admin.areas.import.take', { count: good }),
        busy,
        reason:
          !preview || !file ? t('admin.areas.import.choose') : good === 0 ? t('admin.areas.import.nothing') : null,
        onChoose: () => file && void take(file),
      }}
    >
      <div className="grid gap-4">
        <p>{t('admin.areas.import.text')}</p>
        <FileDrop
          label={t('admin.areas.import.file')}
          accept=".geojson,.json,application/geo+json,application/json"
          megabytes={4}
          value={chosen}
          error={problem}
          onChange={(next) => void check(next)}
        />
        {preview && <PreviewOf preview={preview} />}
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

function PreviewOf({ preview }: { preview: Preview }) {
  const t = useT()
  const { created, updated, failed, warnings } = preview
  return (
    <div className="grid gap-3" aria-live="polite">
      <p className="font-strong text-ink">
        {t('admin.areas.import.counts', { created, updated, failed: new Set(failed.map(({ row }) => row)).size })}
      </p>
      {failed.length > 0 && <Problems failed={failed} />}
      {warnings.length > 0 && <p>{t('admin.areas.import.warnings', { count: warnings.length })}</p>}
    </div>
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
