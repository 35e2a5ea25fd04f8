import { fold } from '@qatra/contract/lib/text'
import { importAreas, listManagedAreas, type ManagedArea } from '@qatra/contract/places/areas-admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { idIn, textIn, useSearchState } from '../../lib/search-state.ts'
import { boxAround } from '../../map/admin/boxes.ts'
import { MapFrame } from '../../map/admin/MapFrame.tsx'
import { type EditMode, OutlineEditor } from '../../map/admin/OutlineEditor.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { UploadIcon } from '../../ui/admin/icons.ts'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { FilterBar, SearchFilter } from '../../ui/admin/list/FilterBar.tsx'
import { useScreen } from '../../ui/admin/media.ts'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'
import { AreaPanel } from './AreaPanel.tsx'
import { AreaRows } from './AreaRows.tsx'
import { refreshAreas } from './api.ts'
import { GeoJsonImport } from './GeoJsonImport.tsx'
import { useSortedByName } from './sorted.ts'
import { useDraft } from './use-draft.ts'

const shape = { search: textIn(100), vendor: idIn }
const matches = ({ name, nameAr, areaId }: ManagedArea, text: string) =>
  fold(`${name} ${nameAr ?? ''} ${areaId}`).includes(fold(text))

function Component() {
  const t = useT()
  const nameIn = useNameIn()
  const navigate = useNavigate()
  const mayWrite = useUser()?.permissions.includes('areas.write') ?? false
  const [filters, setFilters] = useSearchState(shape)
  const { data: areas } = useQuery(read(listManagedAreas))
  const { data: vendors } = useQuery(read(listVendors))
  const openKey = useRouterState({ select: ({ location }) => /\/admin\/areas\/([^/]+)/.exec(location.pathname)?.[1] })
  const open = areas?.find(({ id }) => String(id) === openKey) ?? null
  const isNew = openKey === 'new' && mayWrite
  const draft = useDraft(openKey ?? '', open?.geometry ?? null, areas ?? [], open?.id ?? 0)
  const [mode, setMode] = useState<EditMode>('shape')
  const isWide = useScreen('desk')
  const [isImporting, setImporting] = useState(false)
  const vendor = vendors?.find(({ id }) => id === filters.vendor)
  const sorted = useSortedByName(areas)
  const shown = useMemo(() => sorted?.filter((area) => matches(area, filters.search)), [sorted, filters.search])
  const select = (key: string | null) => {
    setMode(key === 'new' ? 'part' : 'shape')
    const to = key ? '/admin/areas/$id' : '/admin/areas'
    void navigate({ to, params: { id: key ?? '' }, search: true })
  }
  const view = useMemo(() => {
    const inSight = areas?.filter((area) => !vendor || area.vendorIds.includes(vendor.id))
    return boxAround(open ? [open] : (inSight ?? []))
  }, [open, areas, vendor])
  const isEditing = draft.isEditing || isNew
  const mapAreas = (areas ?? []).flatMap((area) => {
    const isOpen = area.id === open?.id
    if (isOpen && isEditing) return []
    const isServed = !vendor || area.vendorIds.includes(vendor.id)
    const tone = isOpen ? ('open' as const) : isServed && !isEditing ? ('plain' as const) : ('faint' as const)
    const tint = vendor && isServed && !isOpen ? vendor.tint : null
    return [{ id: area.id, label: nameIn(area), geometry: area.geometry, tone, tint }]
  })
  const isBelow = isEditing && !isWide
  const panel =
    open || isNew ? (
      <AreaPanel
        key={openKey}
        area={open}
        mayWrite={mayWrite}
        draft={draft}
        mode={mode}
        onMode={setMode}
        onClose={() => select(null)}
        onMade={(id) => select(String(id))}
        isBelow={isBelow}
      />
    ) : null
  return (
    <AdminPageLayout
      title={t('admin.nav.areas')}
      subtitle={areas ? t('admin.areas.count', { count: areas.length }) : undefined}
      actions={
        mayWrite ? (
          <>
            <Link to="/admin/blocks" className={toolbarButtonClass()}>
              {t('admin.blocks')}
            </Link>
            <ToolbarButton icon={UploadIcon} onClick={() => setImporting(true)}>
              {t('admin.areas.import')}
            </ToolbarButton>
            <ToolbarButton icon={PlusIcon} onClick={() => select('new')}>
              {t('admin.areas.new')}
            </ToolbarButton>
          </>
        ) : undefined
      }
      head={
        <FilterBar>
          <SearchFilter
            label={t('admin.areas.search')}
            value={filters.search}
            onChange={(search) => setFilters({ search }, { replace: true })}
          />
          <ChoiceFilter
            label={t('admin.areas.servedBy')}
            values={filters.vendor ? [filters.vendor] : []}
            options={(vendors ?? []).map((one) => ({
              value: one.id,
              label: nameIn(one),
              icon: <VendorEmblem {...one} name={nameIn(one)} size={22} />,
            }))}
            onChange={([id]) => setFilters({ vendor: id })}
          />
        </FilterBar>
      }
      panel={isBelow ? null : panel}
    >
      <div className="grid min-h-0 flex-1 content-start border-t border-line md:grid-cols-[minmax(0,280px)_minmax(0,1fr)]">
        {isBelow ? (
          <div className="md:h-[calc(100dvh-8.5rem)] md:overflow-y-auto md:border-e md:border-line">{panel}</div>
        ) : (
          <AreaRows
            areas={shown}
            vendor={vendor ?? null}
            vendors={vendors ?? []}
            openId={open?.id ?? null}
            onOpen={(id) => select(String(id))}
          />
        )}
        <MapFrame
          label={t('admin.areas.map')}
          className="h-[calc(100dvh-8.5rem)] min-h-90 max-md:order-first max-md:h-80 max-md:min-h-0 md:sticky md:top-0"
          areas={mapAreas}
          view={view}
          onPick={isEditing ? undefined : (id) => select(String(id))}
          strokes={draft.warnings.flatMap(({ strokes }) => strokes)}
        >
          {isEditing && (
            <OutlineEditor
              geometry={draft.geometry}
              mode={draft.geometry ? mode : 'part'}
              onChange={draft.change}
              onDrawn={() => setMode('shape')}
            />
          )}
        </MapFrame>
      </div>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </AdminPageLayout>
  )
}

function ImportDialog({ onClose }: { onClose(): void }) {
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

export const page: Page = {
  Component,
  load: ({ queries }) =>
    Promise.all([queries.ensureQueryData(read(listManagedAreas)), queries.ensureQueryData(read(listVendors))]),
  head: ({ t }) => ({ title: t('admin.nav.areas'), hidden: true }),
}
