import { formatDay } from '@qatra/contract/calendar'
import type { Run, RunStop } from '@qatra/contract/drivers'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { unlessMissing } from '../../app/call.ts'
import { useLanguage } from '../../app/i18n.tsx'
import { useInLang } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { dayIn, readSearch, useSearchState } from '../../app/search-state.ts'
import { Money, OrderId, Phone, Size } from '../../ui/Bidi.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Desk } from '../../ui/office/Desk.tsx'
import { PrintIcon } from '../../ui/office/icons.ts'
import { Tool } from '../../ui/office/Tool.tsx'
import { runQuery } from './run-store.ts'
import { TriedAt } from './StopRow.tsx'

const shape = { date: dayIn }

/** A driver's run as the office sees and prints it. */
function RunSheetPage() {
  const { t, lang } = useLanguage()
  const { id } = useParams({ strict: false })
  const [{ date }] = useSearchState(shape)
  const { data: run } = useQuery({ ...runQuery(Number(id), date), refetchInterval: 30_000 })
  if (!run)
    return (
      <Desk title={t('drivers.missing')}>
        <Link to="/admin/drivers" className="px-6 text-aqua-ink">
          {t('drivers.back')}
        </Link>
      </Desk>
    )
  const name = run.driver.name ?? run.driver.phone
  return (
    <Desk
      title={t('drivers.sheetTitle', { name })}
      subtitle={formatDay(run.date, lang, 'long')}
      actions={
        <span className="flex gap-2 print:hidden">
          <Link
            to="/admin/drivers"
            search={(date ? { date } : {}) as never}
            className="inline-flex min-h-9 items-center px-2 text-aqua-ink"
          >
            {t('drivers.back')}
          </Link>
          <Tool icon={PrintIcon} onClick={() => print()}>
            {t('drivers.printRun')}
          </Tool>
        </span>
      }
    >
      {run.stops.length === 0 ? (
        <div className="py-10">
          <EmptyState title={t('run.emptyDay')} />
        </div>
      ) : (
        <Sheet run={run} />
      )}
    </Desk>
  )
}

function Sheet({ run }: { run: Run }) {
  const { t } = useLanguage()
  const heads = [
    '#',
    t('drivers.customer'),
    t('drivers.address'),
    t('drivers.items'),
    t('drivers.cash'),
    t('drivers.signature'),
  ]
  const due = run.stops.reduce((sum, stop) => sum + Math.round(stop.cashToCollect * 1000), 0) / 1000
  return (
    <div className="overflow-x-auto px-4 pb-10 md:px-6">
      <table className="w-full min-w-200 border-collapse text-label print:min-w-0">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="border-b border-line-strong px-2 py-2 text-start text-caption">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.stops.map((stop) => (
            <SheetRow key={stop.id} stop={stop} />
          ))}
        </tbody>
        <tfoot>
          <tr className="font-strong">
            <td colSpan={4} className="px-2 py-3">
              {t('drivers.total')} ·{' '}
              {t('run.delivered', {
                done: run.stops.filter(({ status }) => status === 'delivered').length,
                all: run.stops.length,
              })}
            </td>
            <td className="px-2 py-3" colSpan={2}>
              <Money bhd={due} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function SheetRow({ stop }: { stop: RunStop }) {
  const { t } = useLanguage()
  const inLang = useInLang()
  const attempt = stop.attempts.at(-1)
  const cell = 'border-b border-line px-2 py-2 align-top'
  return (
    <tr className="break-inside-avoid">
      <td className={`${cell} font-strong`}>{stop.number}</td>
      <td className={cell}>
        <bdi className="block font-strong">{stop.customerName}</bdi>
        <Phone phone={stop.phone} className="block" />
        <Link
          to="/admin/orders/$id"
          params={{ id: stop.id }}
          className="inline-flex min-h-6 items-center text-aqua-ink hover:underline max-md:min-h-tap"
        >
          <OrderId id={stop.id} />
        </Link>
      </td>
      <td className={cell}>
        <span dir="auto" className="block">
          {stop.address}
        </span>
        <span className="block text-ink-2">{inLang(stop.areaName, stop.areaNameAr)}</span>
        {stop.instructions && (
          <span dir="auto" className="block text-ink-2">
            {stop.instructions}
          </span>
        )}
        {attempt && (
          <span className="block text-clay">
            <TriedAt attempt={attempt} />
          </span>
        )}
      </td>
      <td className={cell}>
        {stop.items.map((item) => (
          <span key={item.id} className="block whitespace-nowrap">
            <bdi>{t('run.times', { count: item.quantity })}</bdi> {inLang(item.name, item.nameAr)}{' '}
            <Size size={item.size} />
          </span>
        ))}
      </td>
      <td className={`${cell} whitespace-nowrap`}>
        {stop.status === 'delivered' || stop.status === 'cancelled' ? (
          t(`office.status.${stop.status}`)
        ) : (
          <Money bhd={stop.cashToCollect} className="font-strong" />
        )}
      </td>
      <td className={`${cell} w-28`}>&nbsp;</td>
    </tr>
  )
}

export const page: Page = {
  Component: RunSheetPage,
  load: ({ queries, params, search }) =>
    queries.ensureQueryData(runQuery(Number(params.id), readSearch(shape, search).date)).catch(unlessMissing),
  head: ({ t }) => ({ title: t('run.headTitle') }),
}
