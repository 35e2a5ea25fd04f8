import { isDay } from '@qatra/contract/calendar/calendar'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { exportOrders } from '@qatra/contract/orders/admin'
import { paymentStatuses } from '@qatra/contract/orders/order-status'
import { receivedMeans } from '@qatra/contract/orders/payments'
import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../../../app/names.ts'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { DownloadMenu } from '../../../ui/admin/DownloadMenu.tsx'
import { PrintIcon } from '../../../ui/admin/icons.ts'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { DateFilter } from '../../../ui/admin/list/DateFilter.tsx'
import { FilterBar } from '../../../ui/admin/list/FilterBar.tsx'
import { toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { type ColumnChoice, ColumnMenu } from '../../../ui/admin/table/table-columns.tsx'
import { nameOfDriver, useDrivers } from '../drivers.ts'
import { filtersOn, isOneDay, withStatus } from './desk-search.ts'
import { LinkedFilters } from './LinkedFilters.tsx'
import { type Desk, driversOf, useDeskRights } from './use-desk.ts'

/** Filters of the order list, and the tools that use them. */
export function DeskFilters({ state, setState, columns }: Desk & { columns: ColumnChoice<AdminOrder> }) {
  const t = useT()
  const { isDriver, hasVendors, mayExport } = useDeskRights()
  const query = withStatus(state)
  return (
    <FilterBar
      active={filtersOn(state)}
      end={
        <>
          <ColumnMenu {...columns} />
          {mayExport && <DownloadMenu path={exportOrders.path} query={query} hasLines className="max-md:hidden" />}
          {!isDriver && (
            <Link to="/admin/orders/print" search={query} className={toolbarButtonClass(false, 'max-md:hidden')}>
              <PrintIcon size={16} aria-hidden="true" className="text-ink-3" />
              {t('desk.print')}
            </Link>
          )}
        </>
      }
    >
      <DayFilters state={state} setState={setState} />
      {hasVendors && <VendorFilter state={state} setState={setState} />}
      {!isDriver && <DriverFilter state={state} setState={setState} />}
      <AreaFilter state={state} setState={setState} />
      <ChoiceFilter
        multiple
        label={t('desk.filter.payment')}
        values={state.payment}
        options={paymentStatuses.map((value) => ({ value, label: t(`admin.payment.${value}`) }))}
        onChange={(payment) => setState({ payment })}
      />
      <ChoiceFilter
        multiple
        label={t('desk.filter.means')}
        values={state.means}
        options={receivedMeans.map((value) => ({ value, label: t(`admin.means.${value}`) }))}
        onChange={(means) => setState({ means })}
      />
      <LinkedFilters state={state} setState={setState} />
    </FilterBar>
  )
}

export type DeskPart = Pick<Desk, 'state' | 'setState'>

/** Delivery day or order day; one of them at a time. */
function DayFilters({ state: { day, from, to, by, open }, setState }: DeskPart) {
  const t = useT()
  const isPlaced = by !== 'promised'
  // Beside an open panel the bar is one line: unused filters are hidden.
  const placedIsOn = isPlaced && Boolean(from || to)
  const none = { from: undefined, to: undefined }
  const delivery = day && isDay(day) ? { from: day, to: day } : isPlaced ? none : { from, to }
  return (
    <>
      <DateFilter
        label={t('desk.filter.delivery')}
        {...delivery}
        presets={['today', 'tomorrow', 'yesterday', 'week']}
        onChange={(range) =>
          range.from && range.from === range.to
            ? setState({ ...none, by: undefined, day: range.from })
            : setState({ ...range, by: range.from || range.to ? 'promised' : undefined, day: undefined })
        }
      />
      {(!open || placedIsOn) && (
        <DateFilter
          label={t('desk.filter.placed')}
          {...(isPlaced ? { from, to } : none)}
          onChange={(range) => setState({ ...range, by: undefined, day: undefined })}
        />
      )}
    </>
  )
}

function VendorFilter({ state, setState }: DeskPart) {
  const t = useT()
  const nameIn = useNameIn()
  const { data = [] } = useQuery(read(listVendors))
  return (
    <ChoiceFilter
      label={t('admin.vendor')}
      values={state.vendor.slice(0, 1)}
      options={data.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
      onChange={(vendor) => setState({ vendor, driver: [] })}
    />
  )
}

function DriverFilter({ state, setState }: DeskPart) {
  const t = useT()
  const { seesDrivers } = useDeskRights()
  const { drivers = [] } = useDrivers(driversOf(state, seesDrivers))
  if (!seesDrivers) return null
  return (
    <ChoiceFilter<number | 'none'>
      multiple
      label={t('desk.filter.driver')}
      values={state.driver}
      options={[
        { value: 'none', label: t('desk.filter.noDriver') },
        ...drivers.map((driver) => ({
          value: driver.id,
          label: nameOfDriver(driver),
          count: isOneDay(state) ? driver.day.orders : driver.openOrders,
        })),
      ]}
      onChange={(driver) => setState({ driver })}
    />
  )
}

function AreaFilter({ state, setState }: DeskPart) {
  const t = useT()
  const nameIn = useNameIn()
  const { data = [] } = useQuery(read(listAreas))
  return (
    <ChoiceFilter<number | 'none'>
      multiple
      searchable
      label={t('desk.filter.area')}
      values={state.area}
      options={[
        ...data.map((area) => ({ value: area.id, label: nameIn(area) })),
        { value: 'none', label: t('desk.filter.noArea') },
      ]}
      onChange={(area) => setState({ area })}
    />
  )
}
