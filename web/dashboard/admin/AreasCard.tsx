import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import { ordersIn } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { listManagedAreas } from '@qatra/contract/places/areas-admin'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { boxAround } from '../../map/admin/boxes.ts'
import { MapFrame } from '../../map/admin/MapFrame.tsx'
import { classes } from '../../ui/class-names.ts'
import { Card, quietLink } from './Card.tsx'
import { deskSearch, OrdersLink } from './links.tsx'
import { More, ShareBar } from './Rankings.tsx'
import { bandsUpTo } from './scale.ts'
import { ordersIn as inWords } from './words.ts'

const FEW = 6
/** The same opacities as on the map. */
const strengths = ['opacity-18', 'opacity-36', 'opacity-56', 'opacity-78']
const heats = ['heat-1', 'heat-2', 'heat-3', 'heat-4'] as const

/** Orders by area on a map, and as a list for keyboard users. */
export function AreasCard({ seen, className }: { seen: Dashboard; className?: string }) {
  const t = useT()
  const nameIn = useNameIn()
  const navigate = useNavigate()
  const [isLong, setLong] = useState(false)
  const { data: areas } = useQuery(read(listManagedAreas))
  const { byArea } = seen
  const [first] = byArea
  const bands = bandsUpTo(Math.max(0, ...byArea.map(({ areaId, orders }) => (areaId === null ? 0 : orders))))
  // With fewer than four bands, use the strongest colours.
  const depth = (band: number) => band + heats.length - bands.length
  const heatOf = (orders: number) => {
    const band = bands.findIndex(({ to }) => orders > 0 && orders <= to)
    return (band < 0 ? undefined : heats[depth(band)]) ?? ('faint' as const)
  }
  const askOf = (areaId: number | null) => ordersIn(seen, seen.span, { areaId: String(areaId ?? 'none') })
  const counts = new Map(byArea.map(({ areaId, orders }) => [areaId, orders]))
  const mapAreas = (areas ?? [])
    .map((area) => {
      const orders = counts.get(area.id) ?? 0
      const name = nameIn(area)
      return {
        id: area.id,
        label: t('dashboard.named', { name, orders: inWords(t, orders) }),
        geometry: area.geometry,
        tone: heatOf(orders),
        badge: orders > 0 ? { text: formatCount(orders), name, at: area.centre } : undefined,
        orders,
      }
    })
    .sort((a, b) => b.orders - a.orders)
  const ordered = byArea.map(({ areaId }) => areaId).join(' ')
  const view = useMemo(() => {
    const ids = new Set(ordered.split(' '))
    const busy = (areas ?? []).filter(({ id }) => ids.has(String(id)))
    return boxAround(busy.length > 0 ? busy : (areas ?? []))
  }, [areas, ordered])
  return (
    <Card
      title={t('dashboard.areas')}
      className={classes('flex flex-col', className)}
      end={
        <Link to="/admin/areas" className={quietLink}>
          {t('dashboard.areas.all')}
        </Link>
      }
    >
      <MapFrame
        label={t('dashboard.areas.map')}
        className="h-90 flex-none rounded-m md:h-110"
        areas={mapAreas}
        view={view}
        onPick={(id) => void navigate({ to: '/admin/orders', search: deskSearch(askOf(id)) })}
      />
      <p className="mt-2 text-caption text-ink-3">{t('dashboard.areas.hint')}</p>
      <ul className="mt-1 flex flex-wrap gap-x-4 text-caption text-ink-2">
        {bands.map(({ from, to }, index) => (
          <li key={to} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={classes('size-2.5 rounded-[3px] bg-gulf', strengths[depth(index)])} />
            <bdi>
              {from === to
                ? formatCount(to)
                : t('dashboard.areas.legend', { from: formatCount(from), to: formatCount(to) })}
            </bdi>
          </li>
        ))}
      </ul>
      <ul className="mt-3">
        {byArea.slice(0, isLong ? undefined : FEW).map(({ areaId, name, nameAr, orders }) => (
          <li key={areaId ?? 'none'}>
            <OrdersLink
              orders={askOf(areaId)}
              className="grid min-h-9 grid-cols-[minmax(0,1fr)_92px_auto] items-center gap-3 rounded-s hover:bg-well max-md:min-h-tap"
            >
              <bdi className="truncate">
                {areaId === null ? t('dashboard.areas.outside') : nameIn({ name, nameAr })}
              </bdi>
              <ShareBar share={orders / (first?.orders ?? 1)} />
              <b className="min-w-12 text-end">{formatCount(orders)}</b>
            </OrdersLink>
          </li>
        ))}
      </ul>
      <More count={byArea.length - FEW} isLong={isLong} onChange={setLong} />
    </Card>
  )
}
