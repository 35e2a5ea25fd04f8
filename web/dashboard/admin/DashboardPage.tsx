import { mayOpen } from '@qatra/contract/admin'
import { type Dashboard, type Period, periods, readDashboard } from '@qatra/contract/dashboard/dashboard'
import { waitingOrders } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { idIn, oneOf, readSearch, type StateOf, useSearchState } from '../../lib/search-state.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { EndIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'
import { AreasCard } from './AreasCard.tsx'
import { Card, type MeasuredProps, measures } from './Card.tsx'
import { Figures } from './Figures.tsx'
import { OrdersLink } from './links.tsx'
import { MeansCard, ProductsCard, StatusesCard, VendorsCard } from './Rankings.tsx'
import { DayChart, HourChart } from './TimeCharts.tsx'

/** Search parameters of the dashboard. */
const dashboardShape = { period: oneOf(periods), vendor: idIn, measure: oneOf(measures) }
type DashboardState = StateOf<typeof dashboardShape>

const periodOf = ({ period }: DashboardState): Period => period ?? 'week'

const dashboardQuery = (state: DashboardState) => ({
  ...read(readDashboard, {
    query: { period: periodOf(state), ...(state.vendor ? { vendorId: String(state.vendor) } : {}) },
  }),
  // Always refetch: the period includes today.
  staleTime: 0,
})

const line = 'flex min-h-11 items-center gap-3 rounded-s hover:bg-well'

/** Items that need an action, independent of the period. */
function WaitingCard({ seen, className }: { seen: Dashboard; className?: string }) {
  const t = useT()
  const { most, ...counts } = seen.waiting
  const inside = (kind: keyof typeof counts) => (
    <>
      <b className="grid h-7.5 min-w-7.5 place-items-center rounded-[9px] bg-well px-1.5">
        <bdi>{counts[kind] >= most ? `${formatCount(most)}+` : formatCount(counts[kind])}</bdi>
      </b>
      <span className="flex-1">{t(`dashboard.waiting.${kind}`, { count: counts[kind] })}</span>
      <EndIcon size={18} aria-hidden="true" className="text-ink-3" />
    </>
  )
  const off = { state: 'inactive', vendor: seen.vendorId ?? undefined }
  return (
    <Card title={t('dashboard.waiting')} {...(className ? { className } : {})}>
      <ul className="*:border-b *:border-line *:last:border-0">
        {(['new', 'withoutDriver', 'late', 'failed', 'due'] as const).map((kind) => (
          <li key={kind}>
            <OrdersLink orders={waitingOrders[kind](seen)} className={line}>
              {inside(kind)}
            </OrdersLink>
          </li>
        ))}
        <li>
          <Link to="/admin/products" search={off} className={line}>
            {inside('productsOff')}
          </Link>
        </li>
      </ul>
    </Card>
  )
}

const EVERY_MS = 60_000

function DashboardPage() {
  const t = useT()
  const [state, setState] = useSearchState(dashboardShape)
  const isSuper = useUser()?.role === 'super_admin'
  const query = useQuery({ ...dashboardQuery(state), placeholderData: keepPreviousData, refetchInterval: EVERY_MS })
  const { data: seen } = query
  return (
    <AdminPageLayout
      title={t('dashboard.title')}
      subtitle={t(`dashboard.compared.${periodOf(state)}`)}
      actions={
        <>
          <PeriodTabs chosen={periodOf(state)} />
          {isSuper && <VendorChoice vendor={state.vendor} onChange={(vendor) => setState({ vendor })} />}
        </>
      }
    >
      <div className="grid gap-5 px-4 pb-7 md:px-6">
        {seen && query.isError && (
          <p role="status" className="rounded-[10px] bg-well px-3 py-2 text-ink-2">
            {t('dashboard.offline')}
          </p>
        )}
        {seen ? (
          <Content seen={seen} measure={state.measure ?? 'orders'} onMeasure={(measure) => setState({ measure })} />
        ) : query.isError ? (
          <EmptyState title={t('admin.failed')} text={t('admin.failed.hint')}>
            <Button onClick={() => void query.refetch()}>{t('admin.retry')}</Button>
          </EmptyState>
        ) : (
          <TileShapes />
        )}
      </div>
    </AdminPageLayout>
  )
}

function Content(measured: MeasuredProps) {
  const { seen } = measured
  const t = useT()
  const isOneDay = seen.byDay.length === 1
  const user = useUser()
  const mayReadMoney = mayOpen('/admin/reports/corrections', user ?? null)
  const isEmpty = seen.figures.orders + seen.figures.cancelled === 0
  return (
    <>
      <Figures seen={seen} />
      {isEmpty && <EmptyState title={t('dashboard.empty')} text={t('dashboard.empty.hint')} />}
      {seen.period === 'month' && <DayChart {...measured} />}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_336px] wide:grid-cols-[minmax(0,1fr)_412px]">
        <div className="grid min-w-0 content-start gap-5 md:grid-cols-2">
          {isOneDay && <HourChart seen={seen} className="md:col-span-2" />}
          {seen.period === 'week' && <DayChart {...measured} className="md:col-span-2" />}
          {!isEmpty && <ProductsCard seen={seen} />}
          <WaitingCard seen={seen} />
          {mayReadMoney && <MeansCard seen={seen} className="md:col-span-2" />}
          {!isOneDay && !isEmpty && <HourChart seen={seen} className="md:col-span-2" />}
          {seen.byVendor.length > 0 && <VendorsCard seen={seen} className="md:col-span-2" />}
        </div>
        <div className="grid min-w-0 content-start gap-5">
          <AreasCard {...measured} />
          {!isEmpty && <StatusesCard seen={seen} />}
        </div>
      </div>
    </>
  )
}

/** Periods as tabs; each has its own address. */
function PeriodTabs({ chosen }: { chosen: (typeof periods)[number] }) {
  const t = useT()
  return (
    <nav aria-label={t('dashboard.period')} className="flex min-w-0 rounded-[10px] bg-well p-0.75 max-md:w-full">
      {periods.map((period) => (
        <Link
          key={period}
          to="."
          search={(before: object) => ({ ...before, period })}
          replace
          resetScroll={false}
          activeOptions={{ exact: true }}
          aria-current={period === chosen ? 'true' : undefined}
          className={classes(
            'grid h-7 place-items-center rounded-s px-3 whitespace-nowrap max-md:h-tap max-md:min-w-tap max-md:flex-auto max-md:px-1',
            period === chosen ? 'bg-surface font-strong text-ink' : 'text-ink-2 hover:text-ink',
          )}
        >
          {t(`dashboard.period.${period}`)}
        </Link>
      ))}
    </nav>
  )
}

function VendorChoice({
  vendor,
  onChange,
}: {
  vendor: number | undefined
  onChange(vendor: number | undefined): void
}) {
  const t = useT()
  const nameIn = useNameIn()
  const { data = [] } = useQuery(read(listVendors))
  return (
    <ChoiceFilter
      label={t('admin.vendor')}
      values={vendor ? [vendor] : []}
      options={data.map((one) => ({
        value: one.id,
        label: nameIn(one),
        icon: <VendorEmblem {...one} name={nameIn(one)} size={22} />,
      }))}
      onChange={([id]) => onChange(id)}
    />
  )
}

/** Placeholder of the figures, charts and rankings. */
function TileShapes() {
  return (
    <>
      <Skeleton className="h-102 rounded-l md:h-54 xl:h-33" />
      <div className="grid gap-5 xl:grid-cols-[minmax(0,1fr)_336px] wide:grid-cols-[minmax(0,1fr)_412px]">
        <div className="grid gap-5 md:grid-cols-2">
          <Skeleton quiet className="h-78 rounded-l md:col-span-2" />
          <Skeleton quiet className="h-78 rounded-l" />
          <Skeleton quiet className="h-78 rounded-l" />
        </div>
        <Skeleton quiet className="h-161 rounded-l" />
      </div>
    </>
  )
}

export const page: Page = {
  Component: DashboardPage,
  showsWaiting: true,
  // The page shows a loading error with a retry button.
  load: ({ queries, search }) => queries.prefetchQuery(dashboardQuery(readSearch(dashboardShape, search))),
  head: ({ t }) => ({ title: t('dashboard.title'), hidden: true }),
}
