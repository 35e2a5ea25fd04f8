import { driversByArea, listAreaDrivers } from '@qatra/contract/driver-board'
import type { Driver } from '@qatra/contract/drivers'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { listAreas } from '@qatra/contract/places/areas'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useInLang } from '../../../app/names.ts'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { today } from '../../../ui/admin/day-words.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { nameOfDriver, useDrivers } from '../drivers.ts'
import { unitsOf } from '../next-action.ts'
import { runDayOf } from '../order-days.ts'

interface AreasDialogProps {
  /** Without a driver. */
  orders: readonly AdminOrder[]
  onChoose(byDriver: ReadonlyMap<Driver, readonly AdminOrder[]>): void
  onClose(): void
}

/** Proposes for each area the driver who has it that day, or usually delivers there; a person changes it before it is done. */
export function AreasDialog({ orders, onChoose, onClose }: AreasDialogProps) {
  const t = useT()
  const inLang = useInLang()
  const vendors = new Set(orders.map(({ vendorId }) => vendorId))
  const [vendorId = null] = vendors.size === 1 ? vendors : []
  const days = new Set(orders.map(runDayOf))
  const [day = today()] = days.size === 1 ? days : [today()]
  const { drivers, isError } = useDrivers({ vendorId, day, enabled: vendorId !== null })
  const query = { date: day, ...(vendorId === null ? {} : { vendorId: String(vendorId) }) }
  const known = useQuery({ ...read(listAreaDrivers, { query }), enabled: vendorId !== null })
  /** By area; null: no driver. */
  const [changed, setChanged] = useState<ReadonlyMap<number | null, number | null>>(new Map())
  const areas = useQuery(read(listAreas)).data ?? []
  const proposed = driversByArea(
    (known.data ?? []).filter(({ driverId }) => drivers?.some(({ id }) => id === driverId)),
    areas,
  )
  const groups = [...new Set(orders.map(({ areaId }) => areaId))].map((areaId) => {
    const own = orders.filter((order) => order.areaId === areaId)
    const found = areaId === null ? undefined : proposed.get(areaId)
    const driverId = changed.has(areaId) ? changed.get(areaId) : found?.driverId
    const name = inLang(own[0]?.areaName ?? null, own[0]?.areaNameAr ?? null) || t('desk.filter.noArea')
    return { areaId, own, found, name, driver: drivers?.find(({ id }) => id === driverId) }
  })
  const nameOfArea = (id: number) => {
    const area = areas.find((one) => one.id === id)
    return inLang(area?.name ?? null, area?.nameAr ?? null)
  }
  const byDriver = new Map<Driver, AdminOrder[]>()
  for (const { driver, own } of groups) if (driver) byDriver.set(driver, [...(byDriver.get(driver) ?? []), ...own])
  const count = [...byDriver.values()].reduce((sum, own) => sum + own.length, 0)
  return (
    <Dialog
      open
      className="admin max-w-160"
      title={t('desk.areas.title')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{
        label: t('desk.areas.do', { count }),
        tone: 'gulf',
        reason: count === 0 ? t('desk.areas.none') : null,
        onChoose: () => onChoose(byDriver),
      }}
    >
      <p>{t('desk.areas.hint')}</p>
      {vendorId === null ? (
        <p className="mt-3 text-ink">{t('desk.driversMixed')}</p>
      ) : isError || known.isError ? (
        <p role="alert" className="mt-3 text-clay">
          {t('admin.failed')}
        </p>
      ) : !drivers || !known.data ? (
        <div className="mt-3 grid gap-2">
          {[0, 1, 2].map((at) => (
            <Skeleton key={at} className="h-10" />
          ))}
        </div>
      ) : (
        <ul data-first="" className="mt-3 max-h-[48dvh] overflow-y-auto text-ink">
          {groups.map(({ areaId, own, found, name, driver }) => (
            <li
              key={areaId ?? 'none'}
              className="grid grid-cols-[minmax(0,1fr)_minmax(0,15rem)] items-center gap-3 border-b border-line py-2 last:border-b-0"
            >
              <span className="min-w-0">
                <bdi className="block truncate font-strong">{name}</bdi>
                <span className="block truncate text-caption text-ink-2">
                  {[
                    t('desk.day.orders', { count: own.length }),
                    t('desk.unitCount', { count: unitsOf(own) }),
                    ...(found && driver?.id === found.driverId
                      ? [
                          found.areaId === areaId
                            ? t(found.onDay > 0 ? 'desk.areas.onDay' : 'desk.areas.usual', {
                                count: found.onDay || found.usual,
                              })
                            : t('desk.areas.near', { area: nameOfArea(found.areaId) }),
                        ]
                      : []),
                  ].join(' · ')}
                </span>
              </span>
              <select
                aria-label={t('desk.areas.driverOf', { area: name })}
                className="h-10 w-full min-w-0 rounded-s bg-well px-3 text-as-page text-ink max-md:h-tap"
                value={driver?.id ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  setChanged(new Map(changed).set(areaId, value === '' ? null : Number(value)))
                }
              >
                <option value="">{t('desk.filter.noDriver')}</option>
                {drivers.map((one) => (
                  <option key={one.id} value={one.id}>
                    {t('desk.areas.option', {
                      name: nameOfDriver(one),
                      count: one.day.orders + (byDriver.get(one)?.length ?? 0),
                    })}
                  </option>
                ))}
              </select>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
