import { formatDay } from '@qatra/contract/calendar/calendar'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { dayIn, useSearchState } from '../../../lib/search-state.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { PrintIcon } from '../../../ui/admin/icons.ts'
import { usePrintOnce } from '../../../ui/admin/PrintLayout.tsx'
import { PageSkeleton } from '../../../ui/admin/skeletons.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { driverDaysQuery } from '../drivers-search.ts'
import { RunSheet } from './RunSheet.tsx'
import { runQuery } from './run-store.ts'

const shape = { date: dayIn }

/** The runs of all drivers of a day as one document; each starts on a new sheet. */
function RunSheetsPage() {
  const { t, lang } = useLanguage()
  const [{ date }] = useSearchState(shape)
  const day = useQuery({ ...driverDaysQuery(date), staleTime: 0 })
  const drivers = day.data?.drivers.filter(({ stops }) => stops.all > stops.cancelled) ?? []
  const runs = useQueries({
    queries: drivers.map(({ driver }) => ({ ...runQuery(driver.id, day.data?.date), staleTime: 0 })),
  })
  const failed = day.isError || runs.some(({ isError }) => isError)
  const isReady = drivers.length > 0 && !day.isFetching && runs.every(({ data, isFetching }) => data && !isFetching)
  usePrintOnce(isReady)
  if (failed || !day.data || (drivers.length > 0 && runs.some(({ data }) => !data))) {
    if (!failed) return <PageSkeleton layout="board" />
    return (
      <AdminPageLayout title={t('drivers.printAll')}>
        <div role="alert" className="grid flex-1 place-items-center px-6 py-12">
          <EmptyState title={t('admin.failed')} text={t('admin.failed.hint')}>
            <ToolbarButton onClick={() => void Promise.all([day.refetch(), ...runs.map(({ refetch }) => refetch())])}>
              {t('admin.retry')}
            </ToolbarButton>
          </EmptyState>
        </div>
      </AdminPageLayout>
    )
  }
  return (
    <AdminPageLayout
      paper
      title={t('drivers.allRuns')}
      subtitle={formatDay(day.data.date, lang, 'long')}
      actions={
        <>
          <Link
            to="/admin/drivers"
            search={date ? { date } : {}}
            className="inline-flex min-h-9 items-center px-2 text-aqua-ink"
          >
            {t('drivers.back')}
          </Link>
          {drivers.length > 0 && (
            <ToolbarButton icon={PrintIcon} onClick={() => window.print()}>
              {t('drivers.printAll')}
            </ToolbarButton>
          )}
        </>
      }
    >
      {drivers.length === 0 ? (
        <div className="py-10">
          <EmptyState title={t('run.emptyDay')} />
        </div>
      ) : (
        runs.map(({ data }) => data && <RunSheet key={data.driver.id} run={data} />)
      )}
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: RunSheetsPage,
  showsWaiting: true,
  head: ({ t }) => ({ title: t('drivers.allRuns') }),
}
