import { type Driver, listDrivers } from '@qatra/contract/drivers'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import { moveFocusByArrows } from '../../ui/admin/move-focus-by-arrows.ts'
import { classes } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

interface DriverDialogProps {
  /** Vendor of the drivers; null if the orders belong to several. */
  vendorId: number | null
  /** The current driver. */
  current: number | null
  /** Order id, or the number of orders. */
  hint: string
  /** Offers to remove the driver. */
  removable: boolean
  /** Offers to start the delivery together with the assignment. */
  startable?: boolean
  onChoose(driver: Driver | null, isStarting: boolean): void
  onClose(): void
}

export const driversQuery = (vendorId: number | null) =>
  read(listDrivers, { query: vendorId === null ? {} : { vendorId: String(vendorId) } })

/** The vendor's drivers with their workload; one click assigns. */
export function DriverDialog(props: DriverDialogProps) {
  const { vendorId, current, hint, removable, startable, onChoose, onClose } = props
  const t = useT()
  const { data, isError } = useQuery({ ...driversQuery(vendorId), enabled: vendorId !== null })
  // Ignore a double click.
  const [isChosen, setIsChosen] = useState(false)
  const [isStarting, setIsStarting] = useState(false)
  const choose = (driver: Driver | null) => {
    if (isChosen) return
    setIsChosen(true)
    onChoose(driver, driver !== null && isStarting)
  }
  return (
    <Dialog
      open
      title={t('desk.drivers')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      {...(removable
        ? { action: { label: t('desk.tool.removeDriver'), tone: 'danger', onChoose: () => choose(null) } }
        : {})}
      className="admin"
    >
      <p>{hint}</p>
      {startable && vendorId !== null && (
        <label className="mt-3 flex min-h-tap cursor-pointer items-center gap-2.5 text-ink">
          <input
            type="checkbox"
            className="tick"
            checked={isStarting}
            onChange={({ currentTarget }) => setIsStarting(currentTarget.checked)}
          />
          {t('desk.driversStart')}
        </label>
      )}
      {vendorId === null ? (
        <p className="mt-3 text-ink">{t('desk.driversMixed')}</p>
      ) : isError ? (
        <p role="alert" className="mt-3 text-clay">
          {t('admin.failed')}
        </p>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are an addition to Tab.
        <ul
          data-first=""
          className="-mx-2 mt-2 grid max-h-80 content-start overflow-y-auto"
          onKeyDown={(event) => moveFocusByArrows(event)}
        >
          {data?.map((driver) => (
            <li key={driver.id}>
              <DriverChoice driver={driver} isCurrent={driver.id === current} onChoose={() => choose(driver)} />
            </li>
          ))}
          {!data && [0, 1, 2].map((at) => <Skeleton key={at} className="mx-2 my-1.5 h-9" />)}
          {data?.length === 0 && <li className="px-2 py-1.5 text-ink">{t('desk.driversNone')}</li>}
        </ul>
      )}
    </Dialog>
  )
}

function DriverChoice({ driver, isCurrent, onChoose }: { driver: Driver; isCurrent: boolean; onChoose(): void }) {
  const t = useT()
  const name = driver.name ?? driver.phone
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      className={classes(
        'flex min-h-tap w-full items-center gap-2.5 rounded-s px-2 text-start text-ink hover:bg-well focus-visible:bg-well',
        isCurrent && 'bg-gulf-soft font-strong',
      )}
      onClick={onChoose}
    >
      <Avatar name={name} />
      <span dir="auto" className="text-as-page min-w-0 flex-1 truncate leading-relaxed">
        {name}
      </span>
      <span className="text-caption font-regular text-ink-3">
        {isCurrent ? t('desk.driverNow') : t('desk.driverLoad', { count: driver.openOrders })}
      </span>
    </button>
  )
}
