import { addDays, formatDay } from '@qatra/contract/calendar/calendar'
import { type Correction, exportCorrections, listCorrections } from '@qatra/contract/corrections'
import type { Output } from '@qatra/contract/endpoint'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { monthOf, monthsOn, monthTitle } from '../../../calendar/admin/month.ts'
import { addressOf, read } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { dayIn, idIn, readSearch, type StateOf, useSearchState } from '../../../lib/search-state.ts'
import { today } from '../../../ui/admin/day-words.ts'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { ListPage } from '../../../ui/admin/list/ListPage.tsx'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import { ToolbarButton, ToolbarLink } from '../../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { OrderId } from '../../../ui/Bidi.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { DownloadIcon, EndIcon, StartIcon } from '../../../ui/icons.tsx'
import { useVendorNames } from '../../../users/admin/person-cache.ts'

const shape = { month: dayIn, vendor: idIn }
function filtersOf({ month, vendor }: StateOf<typeof shape>) {
  const from = monthOf(month ?? today())
  return { from, to: addDays(monthsOn(from, 1), -1), ...(vendor && { vendorId: String(vendor) }) }
}
const correctionsQuery = (state: StateOf<typeof shape>) => read(listCorrections, { query: filtersOf(state) })

/** Shortages, corrections and refunds of a month, and their sums by person. */
function CorrectionsPage() {
  const { t, lang } = useLanguage()
  const [state, setState] = useSearchState(shape)
  const query = useQuery(correctionsQuery(state))
  const { options: vendors } = useVendorNames()
  const isMarket = useUser()?.role === 'super_admin'
  const month = monthOf(state.month ?? today())
  const go = (by: number) => setState({ month: monthsOn(month, by) })
  return (
    <ListPage
      list={wholeList(query, query.data?.rows)}
      title={t('reports.corrections')}
      subtitle={
        <span className="flex flex-wrap items-center gap-2">
          <ToolbarButton icon={StartIcon} aria-label={t('reports.previousMonth')} onClick={() => go(-1)}>
            {null}
          </ToolbarButton>
          <b className="font-strong text-ink">{monthTitle(month, lang)}</b>
          <ToolbarButton
            icon={EndIcon}
            aria-label={t('reports.nextMonth')}
            disabled={month >= monthOf(today())}
            onClick={() => go(1)}
          >
            {null}
          </ToolbarButton>
        </span>
      }
      filters={
        isMarket && (
          <ChoiceFilter
            label={t('reports.vendor')}
            values={state.vendor ? [state.vendor] : []}
            options={vendors}
            onChange={([vendor]) => setState({ vendor })}
          />
        )
      }
      tools={
        <ToolbarLink
          icon={DownloadIcon}
          download
          href={addressOf(exportCorrections.path, { query: { ...filtersOf(state), lang } })}
        >
          {t('reports.csv')}
        </ToolbarLink>
      }
      head={query.data && query.data.sums.length > 0 && <Sums sums={query.data.sums} />}
      label={t('reports.corrections')}
      columns={useCorrectionColumns()}
      rowKey={({ id }) => String(id)}
      rowLabel={({ kind, date }) => `${t(`reports.kind.${kind}`)} ${formatDay(date, lang, 'medium')}`}
      empty={<EmptyState title={t('reports.corrections.none')} text={t('reports.corrections.none.hint')} />}
      renderCard={(row) => <Card row={row} />}
    />
  )
}

/** Shortages and refunds without a sign: the word says it. */
function Amount({ kind, bhd }: { kind: Correction['kind']; bhd: number }) {
  const { lang } = useLanguage()
  return <bdi>{formatMoney(fromBhd(kind === 'correction' ? bhd : Math.abs(bhd)), lang)}</bdi>
}

/** Sums by person, in the order of the report. */
function Sums({ sums }: Pick<Output<typeof listCorrections>, 'sums'>) {
  const t = useT()
  return (
    <ul className="rail gap-2 px-4 pb-3 md:px-6">
      {sums.map(({ person, count, ...amounts }) => (
        <li key={person.id} className="flex-none rounded-m bg-well px-3.5 py-2">
          <b className="block font-strong">
            <Person person={person} />
          </b>
          <span className="block text-caption text-ink-2">{t('reports.count', { count })}</span>
          {(['shortage', 'correction', 'refund'] as const).map(
            (kind) =>
              amounts[kind] !== 0 && (
                <span key={kind} className="block text-caption">
                  {t(`reports.kind.${kind}`)}: <Amount kind={kind} bhd={amounts[kind]} />
                </span>
              ),
          )}
        </li>
      ))}
    </ul>
  )
}

function Person({ person: { name } }: { person: Correction['person'] }) {
  const t = useT()
  return name === null ? <span className="text-ink-3">{t('reports.nobody')}</span> : <bdi>{name}</bdi>
}

function useCorrectionColumns(): Column<Correction>[] {
  const { t, lang } = useLanguage()
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

/** The reason, and who recorded it if that is another person. */
function Reason({ row: { reason, person, recordedBy } }: { row: Correction }) {
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

export const page: Page = {
  Component: CorrectionsPage,
  showsWaiting: true,
  load: ({ queries, search }) =>
    Promise.all([
      queries.ensureQueryData(read(listVendors)),
      queries.ensureQueryData(correctionsQuery(readSearch(shape, search))),
    ]),
  head: ({ t }) => ({ title: t('reports.corrections'), hidden: true }),
}
