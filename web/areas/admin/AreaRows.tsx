import type { ManagedArea } from '@qatra/contract/places/areas-admin'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useNameIn } from '../../app/names.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { classes } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'

interface AreaRowsProps {
  areas: readonly ManagedArea[] | undefined
  /** Highlights the areas of this vendor; null highlights none. */
  vendor: Vendor | null
  vendors: readonly Vendor[]
  openId: number | null
  onOpen(id: number): void
}

/** List of areas with the colours of their vendors; the keyboard alternative to the map. */
export function AreaRows({ areas, vendor, vendors, openId, onOpen }: AreaRowsProps) {
  const t = useT()
  const nameIn = useNameIn()
  if (!areas) return <Skeleton className="m-4 h-96" />
  return (
    <ul
      aria-label={t('admin.nav.areas')}
      className="grid content-start border-line md:h-[calc(100dvh-8.5rem)] md:overflow-y-auto md:border-e"
    >
      {areas.map((area) => {
        const isOpen = area.id === openId
        const isFaint = vendor !== null && !area.vendorIds.includes(vendor.id)
        const serving = vendors.filter(({ id }) => area.vendorIds.includes(id))
        return (
          <li key={area.id} className="border-b border-line">
            <button
              type="button"
              aria-current={isOpen ? 'true' : undefined}
              className={classes(
                'flex min-h-11 w-full items-center gap-3 border-s-3 px-4 text-start hover:bg-well md:px-5',
                isOpen ? 'border-gulf bg-gulf-soft' : 'border-transparent',
                isFaint && 'text-ink-3',
              )}
              onClick={() => onOpen(area.id)}
            >
              <span dir="auto" className="min-w-0 flex-1 truncate text-start leading-relaxed">
                {nameIn(area)}
              </span>
              <span className="flex flex-none gap-0.5" title={serving.map((one) => nameIn(one)).join('، ')}>
                {serving.map(({ id, tint }) => (
                  <svg key={id} width="7" height="14" color={tint ?? undefined} className="tinted" aria-hidden="true">
                    <rect width="7" height="14" rx="2.5" fill="var(--tint)" />
                  </svg>
                ))}
                <span className="sr-only">{t('admin.areas.vendorCount', { count: serving.length })}</span>
              </span>
            </button>
          </li>
        )
      })}
      {areas.length === 0 && <li className="px-5 py-8 text-center text-ink-2">{t('admin.nothingFound')}</li>}
    </ul>
  )
}
