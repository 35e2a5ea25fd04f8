import type { Input } from '@qatra/contract/endpoint'
import { type AdminOrder, listOrders } from '@qatra/contract/orders/admin'
import { useQuery } from '@tanstack/react-query'
import { Link, useCanGoBack, useRouter, useRouterState } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { call } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { PrintIcon } from '../../../ui/admin/icons.ts'
import { usePrintOnce } from '../../../ui/admin/PrintLayout.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { StartIcon } from '../../../ui/icons.tsx'
import { PanelProblem, PanelSkeleton } from '../PanelStates.tsx'
import { useStops } from '../use-stops.ts'
import { PickingSheet } from './PickingSheet.tsx'
import { loadsOf } from './picking.ts'

type Query = NonNullable<Input<typeof listOrders>['query']>

const MOST = 1_000
const PAGE = 100

/** Loads all pages up to the print limit. */
async function readAll(query: Query): Promise<AdminOrder[]> {
  const all: AdminOrder[] = []
  for (let page = 1; all.length < MOST; page += 1) {
    const { items } = await call(listOrders, { query: { ...query, page, limit: PAGE } })
    all.push(...items)
    if (items.length < PAGE) break
  }
  return all
}

const filterKeys = [
  ...(['ids', 'day', 'attention', 'status', 'vendorId', 'driverId', 'areaId', 'productId', 'paymentStatus'] as const),
  ...(['means', 'from', 'to', 'before', 'customPrices', 'hour', 'by', 'search'] as const),
]

/** The search parameters are the API's own filters. */
function queryIn(search: Record<string, unknown>): Query {
  const entries = filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, String(search[key])] as const]))
  return Object.fromEntries(entries) as Query // the server validates it
}

function PickingPage() {
  const { t, lang } = useLanguage()
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> })
  const query = queryIn(search)
  const { data, error, refetch } = useQuery({
    queryKey: ['picking', query],
    queryFn: () => readAll(query),
    staleTime: 0,
    gcTime: 0,
  })
  const stops = useStops(data, { staleTime: 0 })
  const loads = data && loadsOf(data, stops.byOrder, lang)
  const isReady = Boolean(loads?.length) && stops.isKnown
  usePrintOnce(isReady)
  return (
    <AdminPageLayout
      paper={isReady}
      title={t('desk.print.title')}
      actions={
        <span className="flex items-center gap-2">
          <Back />
          {isReady && (
            <Button tone="gulf" icon={PrintIcon} onClick={() => window.print()}>
              {t('desk.print.do')}
            </Button>
          )}
        </span>
      }
    >
      {error && !data ? (
        <PanelProblem error={error} onRetry={() => void refetch()} />
      ) : !loads ? (
        <PanelSkeleton />
      ) : loads.length === 0 ? (
        <div className="grid flex-1 place-items-center p-8">
          <EmptyState title={t('desk.print.none')} text={t('desk.print.noneHint')} />
        </div>
      ) : (
        <div className="px-4 pb-8 md:px-6 print:p-0">
          {data.length >= MOST && <p className="mb-3 text-clay">{t('desk.print.cut', { count: MOST })}</p>}
          {loads.map((load) => (
            <PickingSheet key={load.key} load={load} />
          ))}
        </div>
      )}
    </AdminPageLayout>
  )
}

/** Back to the list, or to all orders if the page was opened directly. */
function Back() {
  const t = useT()
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  if (!canGoBack) {
    return (
      <Link to="/admin/orders" className={toolbarButtonClass()}>
        <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
        {t('desk.back')}
      </Link>
    )
  }
  return (
    <ToolbarButton icon={StartIcon} onClick={() => history.back()}>
      {t('desk.print.back')}
    </ToolbarButton>
  )
}

export const page: Page = {
  Component: PickingPage,
  head: ({ t }) => ({ title: t('desk.print.title'), hidden: true }),
}
