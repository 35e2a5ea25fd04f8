import { exportPaymentSums, listPaymentSums, type PaymentSums as Sums } from '@qatra/contract/corrections'
import { formatAmount, fromBhd } from '@qatra/contract/lib/money'
import { paymentMeans } from '@qatra/contract/orders/payments'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { type StateOf, useSearchState } from '../../../lib/search-state.ts'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import { Money } from '../../../ui/Bidi.tsx'
import { filtersOf, Person, Report, reportShape, Sum } from './Report.tsx'

export const paymentSumsQuery = (state: StateOf<typeof reportShape>) =>
  read(listPaymentSums, { query: filtersOf(state) })

/** What drivers and people of the office received on some days, by means. */
export function PaymentSums() {
  const t = useT()
  const [state] = useSearchState(reportShape)
  const query = useQuery(paymentSumsQuery(state))
  const used = paymentMeans.filter((means) => query.data?.sums.means[means] !== undefined)
  return (
    <Report
      view="payments"
      list={wholeList(query, query.data?.rows)}
      file={exportPaymentSums.path}
      sums={
        query.data &&
        used.length > 0 && (
          <>
            {used.map((means) => (
              <Sum key={means} title={t(`admin.means.${means}`)}>
                <Money bhd={query.data.sums.means[means] ?? 0} />
              </Sum>
            ))}
            <Sum title={t('reports.total')}>
              <Money bhd={query.data.sums.total} className="font-strong" />
            </Sum>
          </>
        )
      }
      columns={[
        {
          key: 'person',
          title: t('reports.person'),
          fixed: true,
          cell: (row) => <Holder row={row} />,
        },
        ...used.map((means) => ({
          key: means,
          title: t(`admin.means.${means}`),
          align: 'end' as const,
          width: 130,
          cell: (row: Sums) =>
            row.means[means] === undefined ? '–' : <bdi>{formatAmount(fromBhd(row.means[means]))}</bdi>,
        })),
        {
          key: 'count',
          title: t('reports.count.title'),
          align: 'end',
          width: 90,
          from: 'lg',
          cell: ({ count }) => count,
        },
        {
          key: 'total',
          title: t('reports.total'),
          fixed: true,
          align: 'end',
          width: 140,
          cell: ({ total }) => <Money bhd={total} className="font-strong" />,
        },
      ]}
      rowKey={({ holder }) => `${holder.kind} ${holder.id}`}
      rowLabel={({ holder }) => holder.name ?? t('reports.nobody')}
      renderCard={(row) => (
        <span className="grid grid-cols-1 gap-0.5">
          <span className="flex justify-between gap-3 font-strong">
            <Holder row={row} />
            <Money bhd={row.total} />
          </span>
          {used.map((means) =>
            row.means[means] === undefined ? null : (
              <span key={means} className="flex justify-between gap-3 text-ink-2">
                {t(`admin.means.${means}`)}
                <Money bhd={row.means[means]} />
              </span>
            ),
          )}
        </span>
      )}
    />
  )
}

function Holder({ row: { holder } }: { row: Sums }) {
  const t = useT()
  return (
    <span>
      <Person person={holder} />{' '}
      <span className="text-caption font-regular text-ink-3">{t(`reports.holder.${holder.kind}`)}</span>
    </span>
  )
}
