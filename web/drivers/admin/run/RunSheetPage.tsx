import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { dayIn, readSearch, useSearchState } from '../../../lib/search-state.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { PrintIcon } from '../../../ui/admin/icons.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { RunSheet } from './RunSheet.tsx'
import { runQuery } from './run-store.ts'

const shape = { date: dayIn }

/** A driver's run for staff, printable. */
function RunSheetPage() {
  const t = useT()
  const { id } = useParams({ strict: false })
  const [{ date }] = useSearchState(shape)
  const { data: run } = useQuery({ ...runQuery(Number(id), date), refetchInterval: 30_000 })
  if (!run) return null
  return (
    <AdminPageLayout
      paper
      title={t('run.headTitle')}
      actions={
        <>
          <Link
            to="/admin/drivers"
            search={date ? { date } : {}}
            className="inline-flex min-h-9 items-center px-2 text-aqua-ink"
          >
            {t('drivers.back')}
          </Link>
          <ToolbarButton icon={PrintIcon} onClick={() => window.print()}>
            {t('drivers.printRun')}
          </ToolbarButton>
        </>
      }
    >
      {run.stops.length === 0 ? (
        <div className="py-10">
          <EmptyState title={t('run.emptyDay')} />
        </div>
      ) : (
        <RunSheet run={run} />
      )}
    </AdminPageLayout>
  )
}

function MissingRun() {
  const t = useT()
  return (
    <AdminPageLayout title={t('drivers.missing')}>
      <Link to="/admin/drivers" className="px-6 text-aqua-ink">
        {t('drivers.back')}
      </Link>
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: RunSheetPage,
  load: ({ queries, params, search }) =>
    queries.ensureQueryData(runQuery(Number(params.id), readSearch(shape, search).date)),
  head: ({ t }) => ({ title: t('run.headTitle') }),
  missing: { Component: MissingRun, title: (t) => t('run.headTitle') },
}
