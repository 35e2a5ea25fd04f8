import { importAreas } from '@qatra/contract/places/areas-admin'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { toast } from '../../ui/Toast.tsx'
import { refreshAreas } from './api.ts'
import { GeoJsonImport } from './GeoJsonImport.tsx'

export function ImportDialog({ onClose }: { onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  return (
    <GeoJsonImport
      title={t('admin.areas.import')}
      text={t('admin.areas.import.text')}
      take={(count) => t('admin.areas.import.take', { count })}
      nothing={t('admin.areas.import.nothing')}
      check={(body) => call(importAreas, { query: { dryRun: 'true' }, body })}
      notesOn={({ warnings }) =>
        warnings.length > 0 && <p>{t('admin.areas.import.warnings', { count: warnings.length })}</p>
      }
      onTake={async (body) => {
        const { created, updated } = await call(importAreas, { query: { partial: 'true' }, body })
        toast({ title: t('admin.areas.import.done', { created, updated }) })
        await refreshAreas(queries)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
