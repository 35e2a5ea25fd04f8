import type { ManagedArea } from '@qatra/contract/places/areas-admin'
import { governorateOf, governorates } from '@qatra/contract/places/governorates'
import { useMemo } from 'react'
import { useNameIn } from '../../app/names.ts'
import { useT } from '../../lib/language/i18n.tsx'

interface GovernorateListProps {
  /** In the order of display. */
  shown: readonly ManagedArea[]
  all: readonly ManagedArea[]
  chosen: ReadonlySet<number>
  /** Selects or deselects all of these. */
  onTake(ids: readonly number[], isIn: boolean): void
}

/** Areas grouped by governorate; a governorate can be selected as a whole. */
export function GovernorateList({ shown, all, chosen, onTake }: GovernorateListProps) {
  const t = useT()
  const nameIn = useNameIn()
  const groups = useMemo(() => {
    const placed = shown.map((area) => ({ area, governorate: governorateOf(area, all) }))
    return governorates.flatMap((one) => {
      const areas = placed.flatMap(({ area, governorate }) => (governorate === one ? [area] : []))
      return areas.length > 0 ? [{ governorate: one, areas, ids: areas.map(({ id }) => id) }] : []
    })
  }, [shown, all])
  return (
    <div className="relative max-h-[62dvh] overflow-y-auto border-y border-line max-md:max-h-none">
      {groups.map(({ governorate, areas, ids }) => {
        const taken = ids.filter((id) => chosen.has(id)).length
        return (
          <fieldset key={governorate} className="min-w-0">
            <legend className="sr-only">{t(`admin.areas.governorate.${governorate}`)}</legend>
            <label className="sticky top-0 z-1 flex min-h-9 cursor-pointer items-center gap-2.5 border-b border-line bg-well px-1 font-strong hover:bg-well-2 max-md:min-h-tap">
              <input
                type="checkbox"
                className="tick"
                ref={(box) => {
                  if (box) box.indeterminate = taken > 0 && taken < ids.length
                }}
                checked={taken === ids.length}
                onChange={() => onTake(ids, taken < ids.length)}
              />
              <span className="min-w-0 flex-1 truncate leading-relaxed">
                {t(`admin.areas.governorate.${governorate}`)}
              </span>
              <span className="pe-1 font-normal text-ink-2">
                {t('admin.areas.governorate.taken', { taken, all: ids.length })}
              </span>
            </label>
            <ul className="grid content-start">
              {areas.map((area) => (
                <li key={area.id} className="border-b border-line">
                  <label className="flex min-h-9 cursor-pointer items-center gap-2.5 ps-5 pe-1 hover:bg-well max-md:min-h-tap">
                    <input
                      type="checkbox"
                      className="tick"
                      checked={chosen.has(area.id)}
                      onChange={() => onTake([area.id], !chosen.has(area.id))}
                    />
                    <span dir="auto" className="min-w-0 flex-1 truncate text-start leading-relaxed">
                      {nameIn(area)}
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        )
      })}
      {groups.length === 0 && <p className="py-6 text-center text-ink-2">{t('admin.nothingFound')}</p>}
    </div>
  )
}
