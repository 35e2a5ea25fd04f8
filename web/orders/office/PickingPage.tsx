import { formatDay } from '@qatra/contract/calendar'
import type { Input } from '@qatra/contract/endpoint'
import { listOrders, type OfficeOrder } from '@qatra/contract/orders-office'
import { silhouetteOf } from '@qatra/contract/sizes'
import { useQuery } from '@tanstack/react-query'
import { Link, useCanGoBack, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../../app/call.ts'
import { useLanguage, useT } from '../../app/i18n.tsx'
import { useInLang, useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { Money, Phone, Size } from '../../ui/Bidi.tsx'
import { Bottle } from '../../ui/Bottle.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StartIcon } from '../../ui/icons.tsx'
import { Desk } from '../../ui/office/Desk.tsx'
import { PrintIcon } from '../../ui/office/icons.ts'
import { Tool, toolClass } from '../../ui/office/Tool.tsx'
import { nowInWords } from './day-words.ts'
import { isCashDue } from './next-act.ts'
import { shortId } from './OrderParts.tsx'
import { PanelProblem, PanelSkeleton } from './PanelStates.tsx'
import { type Load, loadsOf } from './picking.ts'

type Query = NonNullable<Input<typeof listOrders>['query']>

const MOST = 1_000
const PAGE = 100

/** All orders of a question, page by page, up to what one prints. */
async function readAll(query: Query): Promise<OfficeOrder[]> {
  const all: OfficeOrder[] = []
  for (let page = 1; all.length < MOST; page += 1) {
    const { items } = await call(listOrders, { query: { ...query, page, limit: PAGE } })
    all.push(...items)
    if (items.length < PAGE) break
  }
  return all
}

const filterKeys = [
  ...(['status', 'vendorId', 'driverId', 'areaId', 'productId', 'paymentStatus'] as const),
  ...(['from', 'to', 'before', 'customPrices', 'hour', 'by', 'search'] as const),
]

/** The address holds the interface's own filters. */
function queryIn(search: Record<string, unknown>): Query {
  const entries = filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, String(search[key])] as const]))
  return Object.fromEntries(entries) as Query // the server refuses what it cannot read
}

function PickingPage() {
  const { t } = useLanguage()
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> })
  const query = queryIn(search)
  const { data, error, refetch } = useQuery({
    queryKey: ['picking', query],
    queryFn: () => readAll(query),
    staleTime: 0,
    gcTime: 0,
  })
  const loads = data && loadsOf(data)
  const isReady = Boolean(loads?.length)
  // It was asked for to be printed.
  useEffect(() => {
    if (isReady) window.print()
  }, [isReady])
  return (
    <Desk
      title={t('desk.print.title')}
      actions={
        <span className="no-print flex items-center gap-2">
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
            <LoadSheet key={load.key} load={load} />
          ))}
        </div>
      )}
    </Desk>
  )
}

/** To the desk as it was left; to all orders where the list was opened by its address. */
function Back() {
  const t = useT()
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  if (!canGoBack) {
    return (
      <Link to="/admin/orders" className={toolClass()}>
        <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
        {t('desk.back')}
      </Link>
    )
  }
  return (
    <Tool icon={StartIcon} onClick={() => history.back()}>
      {t('desk.print.back')}
    </Tool>
  )
}

const head = 'border-b border-line-strong px-2 py-1.5 text-start text-caption'
const cell = 'border-b border-line px-2 py-1.5 align-top'

/** One vendor's load of one day on a sheet of its own. */
function LoadSheet({ load }: { load: Load }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const nameIn = useNameIn()
  return (
    <section className="mb-10 break-after-page last:break-after-auto">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-heading">
          {inLang(load.vendorName, load.vendorNameAr)} ·{' '}
          {t('desk.print.day', { day: formatDay(load.day, lang, 'long') })}
        </h2>
        <p className="text-caption text-ink-3">{t('desk.print.printed', { when: nowInWords(lang) })}</p>
      </div>
      <h3 className="mt-4 mb-1 font-strong">{t('desk.print.products')}</h3>
      <ul className="grid gap-x-6 sm:grid-cols-2 print:grid-cols-2">
        {load.products.map((product) => (
          <li key={product.key} className="flex min-h-11 items-center gap-3 border-b border-line break-inside-avoid">
            <Bottle shape={silhouetteOf(product.size)} tint={product.tint} height={30} />
            <span className="min-w-0 flex-1">
              <bdi>{nameIn(product)}</bdi> <Size size={product.size} className="text-ink-2" />
            </span>
            <b className="text-heading">
              <bdi>{product.quantity}</bdi>
            </b>
          </li>
        ))}
      </ul>
      <h3 className="mt-5 mb-1 font-strong">{t('desk.print.orders', { count: load.orders.length })}</h3>
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls sideways is scrolled by keys too
        tabIndex={0}
        aria-label={t('desk.print.orders', { count: load.orders.length })}
        className="overflow-x-auto print:overflow-visible"
      >
        <table className="w-full min-w-160 border-collapse print:min-w-0">
          <thead>
            <tr>
              {(
                [
                  'column.order',
                  'column.customer',
                  'print.address',
                  'column.items',
                  'column.driver',
                  'print.cash',
                ] as const
              ).map((key) => (
                <th key={key} scope="col" className={head}>
                  {t(`desk.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {load.orders.map((order) => (
              <PickingRow key={order.id} order={order} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={5} className="px-2 py-2 text-start">
                {t('desk.print.cashTotal')}
              </th>
              <td className="px-2 py-2 font-strong">
                <Money bhd={load.cash} />
              </td>
            </tr>
          </tfoot>
        </table>
      </section>
    </section>
  )
}

function PickingRow({ order }: { order: OfficeOrder }) {
  const t = useT()
  const nameIn = useNameIn()
  return (
    <tr className="break-inside-avoid">
      <td className={cell}>
        <bdi dir="ltr" className="font-strong">
          {shortId(order.id)}
        </bdi>
      </td>
      <td className={cell}>
        <bdi className="block">{order.customerName}</bdi>
        <Phone phone={order.phone} className="text-ink-2" />
      </td>
      <td className={cell}>
        <span dir="auto" className="block break-words">
          {order.address}
        </span>
        {order.instructions && (
          <span dir="auto" className="block break-words text-ink-2">
            {order.instructions}
          </span>
        )}
      </td>
      <td className={cell}>
        {order.items.map((item) => (
          <span key={item.id} className="block">
            <bdi className="font-strong">{item.quantity}×</bdi> <bdi>{nameIn(item)}</bdi> <Size size={item.size} />
          </span>
        ))}
      </td>
      <td className={cell}>
        <bdi>{order.driver?.name ?? order.driver?.phone ?? '—'}</bdi>
      </td>
      <td className={`${cell} whitespace-nowrap`}>
        {isCashDue(order) ? (
          <Money bhd={order.total} className="font-strong" />
        ) : (
          t(`office.payment.${order.paymentStatus}`)
        )}
      </td>
    </tr>
  )
}

export const page: Page = {
  Component: PickingPage,
  head: ({ t }) => ({ title: t('desk.print.title'), hidden: true }),
}
