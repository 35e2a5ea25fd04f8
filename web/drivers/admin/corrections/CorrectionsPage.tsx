import { formatDay } from '@qatra/contract/calendar/calendar'
import {
  type Correction,
  correctionKinds,
  type DriverDifferences,
  exportCorrections,
  listCorrections,
} from '@qatra/contract/corrections'
import { formatAmount, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { readSearch, type StateOf, useSearchState } from '../../../lib/search-state.ts'
import { dayOfYear } from '../../../ui/admin/day-words.ts'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { Money, OrderId } from '../../../ui/Bidi.tsx'
import { useVendorColumn } from '../../../users/admin/vendor-column.tsx'
import { PaymentSums, paymentSumsQuery } from './PaymentSums.tsx'
import { filtersOf, Person, Report, reportShape, Sum } from './Report.tsx'
import { VatReport, vatQuery } from './VatReport.tsx'

const correctionsQuery = (state: StateOf<typeof reportShape>) => read(listCorrections, { query: filtersOf(state) })

/** Shortages, write-offs, corrections and refunds, and their sums by person. */
function Corrections() {
  const { t, lang } = useLanguage()
  const [state] = useSearchState(reportShape)
  const query = useQuery(correctionsQuery(state))
  return (
    <Report
      view="corrections"
      list={wholeList(query, query.data?.rows)}
      file={exportCorrections.path}
      sums={query.data?.sums.map(({ person, count, ...amounts }) => (
        <Sum key={person.id} title={<Person person={person} />}>
          <span className="block text-caption text-ink-2">{t('reports.count', { count })}</span>
          {correctionKinds.map(
            (kind) =>
              amounts[kind] !== 0 && (
                <span key={kind} className="block text-caption">
                  {t(`reports.kind.${kind}`)}: <Amount kind={kind} bhd={amounts[kind]} />
                </span>
              ),
          )}
        </Sum>
      ))}
      columns={useCorrectionColumns()}
      rowKey={({ id }) => String(id)}
      rowLabel={({ kind, date }) => `${t(`reports.kind.${kind}`)} ${formatDay(date, lang, 'medium')}`}
      renderCard={(row) => <Card row={row} />}
    />
  )
}

/** What the cash of each driver differed by, and on which days. */
function Differences() {
  const { t, lang } = useLanguage()
  const [state] = useSearchState(reportShape)
  const query = useQuery(correctionsQuery(state))
  const vendor = useVendorColumn<DriverDifferences>(({ vendorId }) => [vendorId])
  const amount = (key: 'shortage' | 'over' | 'writeOff' | 'left'): Column<DriverDifferences> => ({
    key,
    title: t(`reports.drivers.${key}`),
    align: 'end',
    width: 110,
    fixed: key === 'left',
    cell: ({ [key]: bhd }) => (
      <Money
        bhd={key === 'shortage' ? Math.abs(bhd) : bhd}
        className={key === 'left' ? (bhd < 0 ? 'font-strong text-clay' : 'font-strong') : undefined}
      />
    ),
  })
  return (
    <Report
      view="drivers"
      list={wholeList(query, query.data?.drivers)}
      file={exportCorrections.path}
      sums={null}
      columns={[
        {
          key: 'driver',
          title: t('reports.holder.driver'),
          fixed: true,
          width: 200,
          cell: ({ driver }) => <Person person={driver} />,
        },
        ...vendor,
        { key: 'days', title: t('reports.days'), cell: (row) => <DayAmounts row={row} /> },
        amount('shortage'),
        amount('over'),
        amount('writeOff'),
        amount('left'),
      ]}
      rowKey={({ driver }) => String(driver.id)}
      rowLabel={({ driver }) => driver.name ?? String(driver.id)}
      renderCard={(row) => (
        <span className="grid grid-cols-1 gap-0.5">
          <span className="flex justify-between gap-3 font-strong">
            <Person person={row.driver} />
            <bdi className={row.left < 0 ? 'text-clay' : undefined}>{formatMoney(fromBhd(row.left), lang)}</bdi>
          </span>
          <DayAmounts row={row} />
        </span>
      )}
    />
  )
}

/** Each day with what was missing or too much; a press opens the close of the day. */
function DayAmounts({ row: { days } }: { row: DriverDifferences }) {
  const { lang } = useLanguage()
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1 whitespace-normal">
      {days.map(({ date, amount }) => (
        <Link key={date} to="/admin/day" search={{ date }} className="whitespace-nowrap text-aqua-ink hover:underline">
          {dayOfYear(date, lang)}{' '}
          <bdi className={amount < 0 ? 'text-clay' : 'text-ink'}>{formatAmount(fromBhd(amount))}</bdi>
        </Link>
      ))}
    </span>
  )
}

/** Shortages and refunds without a sign: the word says it. */
function Amount({ kind, bhd }: { kind: Correction['kind']; bhd: number }) {
  const { lang } = useLanguage()
  return <bdi>{formatMoney(fromBhd(kind === 'correction' ? bhd : Math.abs(bhd)), lang)}</bdi>
}

function useCorrectionColumns(): Column<Correction>[] {
  const { t, lang } = useLanguage()
  const vendor = useVendorColumn<Correction>(({ vendorId }) => [vendorId])
  return [
    {
      key: 'day',
      title: t('reports.day'),
      fixed: true,
      width: 175,
      cell: ({ date }) => <time dateTime={date}>{formatDay(date, lang, 'medium')}</time>,
    },
    {
      key: 'person',
      title: t('reports.person'),
      fixed: true,
      width: 190,
      cell: ({ person }) => <Person person={person} />,
    },
    ...vendor,
    { key: 'kind', title: t('reports.kind'), fixed: true, width: 110, cell: ({ kind }) => t(`reports.kind.${kind}`) },
    { key: 'means', title: t('reports.means'), width: 100, from: 'lg', cell: ({ means }) => t(`admin.means.${means}`) },
    { key: 'order', title: t('reports.order'), width: 190, from: 'lg', cell: (row) => <OrderLink row={row} /> },
    { key: 'reason', title: t('reports.reason'), fixed: true, cell: (row) => <Reason row={row} /> },
    {
      key: 'amount',
      title: t('reports.amount'),
      fixed: true,
      align: 'end',
      width: 130,
      cell: ({ kind, amount }) => (
        <b className="font-strong">
          <Amount kind={kind} bhd={amount} />
        </b>
      ),
    },
  ]
}

const OrderLink = ({ row: { orderId } }: { row: Correction }) =>
  orderId && (
    <Link to="/admin/orders/$id" params={{ id: orderId }} className="text-aqua-ink hover:underline">
      <OrderId id={orderId} />
    </Link>
  )

/** The reason, who recorded it, and of which driver it is, where that is another person. */
function Reason({ row: { reason, person, recordedBy, driver } }: { row: Correction }) {
  const t = useT()
  return (
    <span className="grid min-w-0">
      {reason && (
        <span dir="auto" className="text-as-page truncate" title={reason}>
          {reason}
        </span>
      )}
      {recordedBy.name !== null && recordedBy.id !== person.id && (
        <span className="truncate text-caption text-ink-3">{t('reports.recordedBy', { name: recordedBy.name })}</span>
      )}
      {driver !== null && driver.name !== null && driver.id !== person.id && (
        <span className="truncate text-caption text-ink-3">{t('reports.ofDriver', { name: driver.name })}</span>
      )}
    </span>
  )
}

function Card({ row }: { row: Correction }) {
  const { t, lang } = useLanguage()
  return (
    <span className="grid grid-cols-1 gap-0.5">
      <span className="flex justify-between gap-3 font-strong">
        {t(`reports.kind.${row.kind}`)}
        <Amount kind={row.kind} bhd={row.amount} />
      </span>
      <span className="text-ink-2">
        <Person person={row.person} /> · {t(`admin.means.${row.means}`)} ·{' '}
        <time dateTime={row.date}>{formatDay(row.date, lang, 'medium')}</time>
      </span>
      <OrderLink row={row} />
      <Reason row={row} />
    </span>
  )
}

function MoneyReportsPage() {
  const [{ view }] = useSearchState(reportShape)
  if (view === 'payments') return <PaymentSums />
  if (view === 'vat') return <VatReport />
  return view === 'drivers' ? <Differences /> : <Corrections />
}

export const page: Page = {
  Component: MoneyReportsPage,
  showsWaiting: true,
  load({ queries, search }) {
    const state = readSearch(reportShape, search)
    return Promise.all([
      queries.ensureQueryData(read(listVendors)),
      state.view === 'payments'
        ? queries.ensureQueryData(paymentSumsQuery(state))
        : state.view === 'vat'
          ? queries.ensureQueryData(vatQuery(state))
          : queries.ensureQueryData(correctionsQuery(state)),
    ])
  },
  head: ({ t }) => ({ title: t('reports.title'), hidden: true }),
}
