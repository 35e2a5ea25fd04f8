import { ordersIn } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { listManagedAreas } from '@qatra/contract/places/areas-admin'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { boxAround } from '../../map/admin/boxes.ts'
import { MapFrame } from '../../map/admin/MapFrame.tsx'
import { ShareBar } from '../../ui/admin/ShareBar.tsx'
import { classes } from '../../ui/class-names.ts'
import { Card, MeasureChoice, type MeasuredProps, quietLink } from './Card.tsx'
import { deskSearch, OrdersLink } from './links.tsx'
import { More } from './Rankings.tsx'
import { bandsUpTo } from './scale.ts'
import { ordersIn as inWords } from './words.ts'

const FEW = 6
const heats = ['heat-1', 'heat-2', 'heat-3', 'heat-4'] as const

/** Orders or revenue by area on a map, and as a list for keyboard users. */
export function AreasCard({ seen, measure, onMeasure, className }: MeasuredProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const navigate = useNavigate()
  const [isLong, setLong] = useState(false)
  const { data: areas } = useQuery(read(listManagedAreas))
  const isMoney = measure === 'revenue'
  const byArea = seen.byArea
    .map((area) => ({ ...area, value: area[measure] }))
    .sort((a, b) => b.value - a.value || b.orders - a.orders)
  const most = Math.max(0, ...byArea.map(({ value }) => value))
  const show = (value: number) => (isMoney ? formatMoney(fromBhd(value), lang) : formatCount(value))
  const bands = bandsUpTo(Math.ceil(Math.max(0, ...byArea.map(({ areaId, value }) => (areaId === null ? 0 : value)))))
  // With fewer than four bands, use the strongest colours.
  const depth = (band: number) => band + heats.length - bands.length
  const heatOf = (value: number) => {
    const band = bands.findIndex(({ to }) => value > 0 && value <= to)
    return (band < 0 ? undefined : heats[depth(band)]) ?? ('faint' as const)
  }
  const askOf = (areaId: number | null) => ordersIn(seen, seen.span, { areaId: String(areaId ?? 'none') })
  const values = new Map(byArea.map(({ areaId, value }) => [areaId, value]))
  const mapAreas = (areas ?? [])
    .map((area) => {
      const value = values.get(area.id) ?? 0
      const name = nameIn(area)
      return {
        id: area.id,
        label: t('dashboard.named', { name, value: isMoney ? show(value) : inWords(t, value) }),
        geometry: area.geometry,
        tone: heatOf(value),
        badge: value > 0 ? { text: formatCount(Math.round(value)), name, at: area.centre } : undefined,
        value,
      }
    })
    .sort((a, b) => b.value - a.value)
  const ordered = seen.byArea.map(({ areaId }) => areaId).join(' ')
  const view = useMemo(() => {
    const ids = new Set(ordered.split(' '))
    const busy = (areas ?? []).filter(({ id }) => ids.has(String(id)))
    return boxAround(busy.length > 0 ? busy : (areas ?? []))
  }, [areas, ordered])
  return (
    <Card
      title={t(isMoney ? 'dashboard.areas.revenue' : 'dashboard.areas')}
      className={classes('flex flex-col', className)}
      end={
        <>
          <MeasureChoice measure={measure} onMeasure={onMeasure} />
          <Link to="/admin/areas" className={quietLink}>
            {t('dashboard.areas.all')}
          </Link>
        </>
      }
    >
      <MapFrame
        label={t(isMoney ? 'dashboard.areas.map.revenue' : 'dashboard.areas.map')}
        className="h-90 flex-none rounded-m md:h-110"
        areas={mapAreas}
        view={view}
        onPick={(id) => void navigate({ to: '/admin/orders', search: deskSearch(askOf(id)) })}
      />
      <p className="mt-2 text-caption text-ink-3">
        {t(isMoney ? 'dashboard.areas.hint.revenue' : 'dashboard.areas.hint')}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4 text-caption text-ink-2">
        {bands.map(({ from, to }, index) => (
          <li key={to} className="flex items-center gap-1.5">
            <svg aria-hidden="true" className="size-2.5">
              <rect width="100%" height="100%" rx="3" className={`area-${heats[depth(index)]}`} />
            </svg>
            <bdi>
              {from === to
                ? formatCount(to)
                : t('dashboard.areas.legend', { from: formatCount(from), to: formatCount(to) })}
            </bdi>
          </li>
        ))}
      </ul>
      <ul className="mt-3">
        {byArea.slice(0, isLong ? undefined : FEW).map(({ areaId, name, nameAr, value }) => (
          <li key={areaId ?? 'none'}>
            <OrdersLink
              orders={askOf(areaId)}
              className="grid min-h-9 grid-cols-[minmax(0,1fr)_92px_auto] items-center gap-3 rounded-s hover:bg-well max-md:min-h-tap"
            >
              <bdi className="truncate">
                {areaId === null ? t('dashboard.areas.outside') : nameIn({ name, nameAr })}
              </bdi>
              <ShareBar parts={[{ share: value / (most || 1) }]} />
              <b className="min-w-12 text-end">
                <bdi>{show(value)}</bdi>
              </b>
            </OrdersLink>
          </li>
        ))}
      </ul>
      <More count={byArea.length - FEW} isLong={isLong} onChange={setLong} />
    </Card>
  )
}
