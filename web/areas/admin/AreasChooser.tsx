import { fold } from '@qatra/contract/lib/text'
import { listManagedAreas, type ManagedArea } from '@qatra/contract/places/areas-admin'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { boxAround } from '../../map/admin/boxes.ts'
import { MapFrame } from '../../map/admin/MapFrame.tsx'
import { SearchFilter } from '../../ui/admin/list/FilterBar.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { GovernorateList } from './GovernorateList.tsx'
import { useSortedByName } from './sorted.ts'

interface AreasChooserProps {
  chosen: ReadonlySet<number>
  onChange(chosen: ReadonlySet<number>): void
}

const findable = ({ name, nameAr, areaId }: ManagedArea) => fold(`${name} ${nameAr ?? ''} ${areaId}`)

/** Selects areas in a list or on a map. */
export function AreasChooser({ chosen, onChange }: AreasChooserProps) {
  const t = useT()
  const nameIn = useNameIn()
  const { data } = useQuery(read(listManagedAreas))
  const areas = useSortedByName(data)
  const view = useMemo(() => boxAround(data ?? []), [data])
  const [text, setText] = useState('')
  const shown = useMemo(() => areas?.filter((area) => findable(area).includes(fold(text))), [areas, text])
  const take = (some: readonly number[], isIn: boolean) =>
    onChange(isIn ? new Set([...chosen, ...some]) : without(chosen, some))
  const ids = shown?.map(({ id }) => id) ?? []
  return (
    <div className="grid flex-1 content-start gap-4 md:grid-cols-[minmax(0,300px)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-2 max-md:order-2">
        <SearchFilter className="md:w-full" label={t('admin.areas.search')} value={text} onChange={setText} />
        <div className="flex flex-wrap items-center gap-2">
          <ToolbarButton onClick={() => take(ids, true)}>
            {t(text ? 'admin.areas.takeShown' : 'admin.areas.takeAll')}
          </ToolbarButton>
          <ToolbarButton onClick={() => take(ids, false)}>
            {t(text ? 'admin.areas.dropShown' : 'admin.areas.dropAll')}
          </ToolbarButton>
        </div>
        {!shown && <Skeleton className="h-80" />}
        {shown && <GovernorateList shown={shown} all={areas ?? []} chosen={chosen} onTake={take} />}
      </div>
      <MapFrame
        label={t('admin.areas.map')}
        className="h-[62dvh] min-h-75 rounded-l max-md:h-75"
        onPick={(id) => take([id], !chosen.has(id))}
        view={view}
        areas={(areas ?? []).map((area) => ({
          id: area.id,
          label: nameIn(area),
          geometry: area.geometry,
          tone: chosen.has(area.id) ? 'chosen' : 'faint',
        }))}
      />
    </div>
  )
}

const without = (ids: ReadonlySet<number>, gone: readonly number[]) => {
  const left = new Set(ids)
  for (const id of gone) left.delete(id)
  return left
}
