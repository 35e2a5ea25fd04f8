import { importBlocks, listBlocks } from '@qatra/contract/places/blocks-admin'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { TextField } from '../../ui/Field.tsx'
import { schemaErrors } from '../../ui/form/form-errors.ts'
import { toast } from '../../ui/Toast.tsx'
import { type FeatureFile, GeoJsonImport } from './GeoJsonImport.tsx'

/** Asks for the source and its date before the file, since each block is stored with them. */
export function BlocksImport({ onClose }: { onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const [source, setSource] = useState('')
  const [date, setDate] = useState('')
  const bodyOf = (file: FeatureFile) => ({ ...file, source, date })
  const { source: wrongSource, date: wrongDate } = schemaErrors<'source' | 'date'>(
    importBlocks.body,
    bodyOf({ type: 'FeatureCollection', features: [null] }),
    ([name]) => (name === 'source' || name === 'date' ? name : null),
    t,
  )
  return (
    <GeoJsonImport
      title={t('admin.blocks.import')}
      text={t('admin.blocks.import.text')}
      take={(count) => t('admin.blocks.import.take', { count })}
      nothing={t('admin.blocks.import.nothing')}
      before={
        <div data-first="" className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_11rem]">
          <TextField
            label={t('admin.blocks.source')}
            hint={t('admin.blocks.source.hint')}
            className="text-ink"
            maxLength={200}
            value={source}
            onChange={({ target }) => setSource(target.value)}
          />
          <TextField
            label={t('admin.blocks.date')}
            className="text-ink"
            type="date"
            ltr
            value={date}
            onChange={({ target }) => setDate(target.value)}
          />
        </div>
      }
      waitsFor={wrongSource ?? wrongDate ?? null}
      check={(file) => call(importBlocks, { query: { dryRun: 'true' }, body: bodyOf(file) })}
      notesOn={({ outside }) => outside > 0 && <p>{t('admin.blocks.import.outside', { count: outside })}</p>}
      onTake={async (file) => {
        const { created, updated } = await call(importBlocks, { query: { partial: 'true' }, body: bodyOf(file) })
        toast({ title: t('admin.areas.import.done', { created, updated }) })
        await queries.invalidateQueries({ queryKey: [listBlocks.path] })
        onClose()
      }}
      onClose={onClose}
    />
  )
}
