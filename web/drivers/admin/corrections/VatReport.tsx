import { formatDay } from '@qatra/contract/calendar/calendar'
import { exportVat, listVat, VAT_ROWS, type VatRow, type VatSums } from '@qatra/contract/corrections'
import { leftToRight } from '@qatra/contract/lib/text'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { type StateOf, useSearchState } from '../../../lib/search-state.ts'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { useVendorColumn } from '../../../users/admin/vendor-column.tsx'
import { filtersOf, Report, reportShape, Sum } from './Report.tsx'

export const vatQuery = (state: StateOf<typeof reportShape>) =>
  read(listVat, { query: { ...filtersOf(state), page: state.page } })

/** VAT of invoices, credit notes and forfeited deposits by rate, with what the VAT return asks for. */
export function VatReport() {
  const { t, lang } = useLanguage()
  const [state, setState] = useSearchState(reportShape)
  const query = useQuery(vatQuery(state))
  const vendor = useVendorColumn<VatRow>(({ vendorId }) => [vendorId])
  const list = wholeList(query, query.data?.rows)
  const paging = { page: state.page, limit: VAT_ROWS, total: query.data?.total }
  const amount = (key: 'net' | 'vat'): Column<VatRow> => ({
    key,
    title: t(`reports.vat.${key}`),
    fixed: true,
    align: 'end',
    width: 130,
    cell: (row) => <Money bhd={row[key]} className={row[key] < 0 ? 'text-clay' : undefined} />,
  })
  return (
    <Report
      view="vat"
      list={{ ...list, table: { ...list.table, ...paging, onPage: (page: number) => setState({ page }) } }}
      file={exportVat.path}
      sums={query.data && query.data.total > 0 && <Sums sums={query.data.sums} />}
      note={query.data && query.data.total > 0 && t('reports.vat.note')}
      columns={[
        {
          key: 'day',
          title: t('reports.day'),
          fixed: true,
          width: 175,
          cell: ({ date }) => <time dateTime={date}>{formatDay(date, lang, 'medium')}</time>,
        },
        { key: 'number', title: t('reports.vat.number'), fixed: true, width: 150, cell: (row) => <Paper row={row} /> },
        { key: 'kind', title: t('reports.kind'), fixed: true, cell: ({ kind }) => t(`reports.vat.${kind}`) },
        ...vendor,
        { key: 'rate', title: t('reports.vat.rate'), fixed: true, align: 'end', width: 80, cell: (row) => rateOf(row) },
        amount('net'),
        amount('vat'),
      ]}
      rowKey={({ kind, number, rate }) => `${kind} ${number} ${rate}`}
      rowLabel={({ number }) => number}
      renderCard={(row) => (
        <span className="grid grid-cols-1 gap-0.5">
          <span className="flex justify-between gap-3 font-strong">
            <span>
              {t(`reports.vat.${row.kind}`)} <Paper row={row} />
            </span>
            <Money bhd={row.net} className={row.net < 0 ? 'text-clay' : undefined} />
          </span>
          <span className="flex justify-between gap-3 text-ink-2">
            <time dateTime={row.date}>{formatDay(row.date, lang, 'medium')}</time>
            <span>
              {t('reports.vat.vatAtRate', { rate: percent(row.rate) })} <Money bhd={row.vat} />
            </span>
          </span>
        </span>
      )}
    />
  )
}

const percent = (rate: number) => leftToRight(`${rate}%`)
const rateOf = ({ rate }: Pick<VatRow, 'rate'>) => <bdi>{percent(rate)}</bdi>

/** Its number; a paper's opens the order. */
function Paper({ row: { number, orderId } }: { row: VatRow }) {
  if (orderId === null) return <bdi>{number}</bdi>
  return (
    <Link to="/admin/orders/$id" params={{ id: orderId }} className="text-aqua-ink hover:underline">
      <bdi>{number}</bdi>
    </Link>
  )
}

function Sums({ sums: { rates, kinds, ...all } }: { sums: VatSums }) {
  const t = useT()
  const amounts = ({ net, vat }: { net: number; vat: number }) => (
    <>
      <span className="block text-caption">
        {t('reports.vat.net')}: <Money bhd={net} />
      </span>
      <span className="block text-caption">
        {t('reports.vat.vat')}: <Money bhd={vat} />
      </span>
    </>
  )
  return (
    <>
      <Sum title={t('reports.total')}>{amounts(all)}</Sum>
      {rates.map(({ rate, ...sum }) => (
        <Sum key={rate} title={t('reports.vat.atRate', { rate: percent(rate) })}>
          {amounts(sum)}
        </Sum>
      ))}
      {kinds.map(({ kind, count, ...sum }) => (
        <Sum key={kind} title={t(`reports.vat.count.${kind}`, { count })}>
          {amounts(sum)}
        </Sum>
      ))}
    </>
  )
}
