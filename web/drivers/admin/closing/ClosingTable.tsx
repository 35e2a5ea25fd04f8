import { bottleCounts, type CashClosing, type Equation } from '@qatra/contract/cash-closing'
import { formatCount } from '@qatra/contract/lib/digits'
import { formatAmount, fromBhd } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../../../app/names.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { distinctInitials } from '../../../ui/admin/Avatar.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CheckIcon } from '../../../ui/icons.tsx'
import type { CashQuestion } from './CashDialog.tsx'
import { addBhd, type Holder, hasWorked, holderOf, isShortage, meansOf, unentered } from './closing.ts'
import { Difference } from './Difference.tsx'
import { cell, DriverLine, leftOut, row, Unentered } from './DriverLine.tsx'
import { VanCounted } from './VanDialog.tsx'

interface ClosingTableProps {
  closing: CashClosing
  onAsk(kind: CashQuestion | 'van', driverId: number): void
}

/** One row a driver who worked, one of the office, and the totals. */
export function ClosingTable({ closing, onAsk }: ClosingTableProps) {
  const { t } = useLanguage()
  const { sums, equation } = closing
  const drivers = closing.drivers.filter((line) => hasWorked(closing, line))
  // Of all drivers, as on the board.
  const initials = distinctInitials(closing.drivers.map(({ driver }) => driver))
  const first = drivers.find(({ cash }) => cash.inHand > 0 && !isShortage(cash))
  const amount = (bhd: number) => <bdi>{formatAmount(fromBhd(bhd))}</bdi>
  const column = (one: PaymentMeans, sum: number) => ({
    key: one,
    label: t(`admin.means.${one}`),
    of: (holder: Holder) => holder.means[one] ?? 0,
    sum,
  })
  const columns = [
    column('cash', addBhd(equation.withDrivers, cashIn(equation))),
    ...meansOf(equation).map((one) => column(one, equation.otherMeans[one] ?? 0)),
    ...(equation.onAccount === 0 ? [] : [column('account', equation.onAccount)]),
    ...(equation.paidBack === 0
      ? []
      : [
          {
            key: 'paidBack',
            label: t('closing.paidBack'),
            of: (holder: Holder) => holder.paidBack ?? 0,
            sum: equation.paidBack,
          },
        ]),
    {
      key: 'notCollected',
      label: t('closing.notCollected'),
      of: (holder: Holder) => holder.notCollected,
      sum: addBhd(equation.notCollected, -equation.otherDays),
    },
  ]
  /** The columns of a driver, of the office or of all. */
  const amounts = (amountIn: (one: (typeof columns)[number]) => number, { isSum = false, isFolded = false } = {}) =>
    columns.map((one) => {
      const bhd = amountIn(one)
      return (
        <td
          key={one.key}
          data-label={one.label}
          className={classes(cell, ((bhd === 0 && !isSum && one.key !== 'cash') || isFolded) && leftOut)}
        >
          {bhd === 0 && !isSum ? <span className="text-ink-3">{t('drivers.none')}</span> : amount(bhd)}
        </td>
      )
    })
  const hasCash = drivers.some(({ cash }) => cash.collected !== 0 || cash.handedOver !== 0)
  const office = holderOf(closing, null)
  const bottles = useBottleCells(closing, (driverId) => onAsk('van', driverId))
  const isOffice =
    Object.keys(office.means).length > 0 ||
    office.notCollected !== 0 ||
    unentered(equation, null) !== 0 ||
    closing.bottles.some(({ driverId }) => driverId === null)
  if (drivers.length === 0 && !isOffice) return <p className="text-ink-2">{t('closing.empty')}</p>
  return (
    <section aria-labelledby="closing-cash" className="min-w-0">
      <header className="mb-2 flex items-baseline justify-between gap-3">
        <h2 id="closing-cash" className="text-heading">
          {t('closing.cash')}
        </h2>
        <p className="text-caption text-ink-3">{t('closing.unit')}</p>
      </header>
      <div className="relative overflow-x-auto">
        <table className="w-full border-collapse max-md:block max-md:*:block print:text-caption print:[&_span]:leading-snug">
          <thead className="max-md:sr-only">
            {bottles.titles.length > 0 && (
              <tr className="text-start">
                <td colSpan={columns.length + 4} aria-hidden="true" />
                <th colSpan={bottles.titles.length} scope="colgroup" className="border-s border-line ps-4 text-start">
                  {t('closing.bottles')} <bdi className="font-normal text-ink-3">{bottles.only}</bdi>
                </th>
              </tr>
            )}
            <tr className="border-b border-line text-caption text-ink-3">
              {[
                t('drivers.driver'),
                t('closing.stops'),
                ...columns.map(({ label }) => label),
                t('closing.handed'),
                t('closing.difference'),
              ].map((label) => (
                <th key={label} scope="col" className={classes(cell, 'max-md:before:content-none print:wrap-normal')}>
                  {label}
                </th>
              ))}
              {bottles.titles.map((label, i) => (
                <th
                  key={label}
                  scope="col"
                  className={classes(cell, i === 0 && beside, 'max-md:before:content-none print:wrap-normal')}
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {drivers.map((line) => (
              <DriverLine
                key={line.driver.id}
                closing={closing}
                line={line}
                initials={initials.get(line.driver.id)}
                isFirst={line === first}
                onAsk={onAsk}
                amounts={amounts}
                bottles={(isFolded) => bottles.cells(line.driver.id, { isFolded })}
              />
            ))}
            {isOffice && (
              <tr className={classes(row, 'max-md:py-2')}>
                <th scope="row" className={classes(cell, 'max-md:before:content-none')}>
                  <span className="font-strong">{t('closing.office')}</span>
                </th>
                <td className={classes(cell, leftOut)}>
                  <span className="text-ink-3">{t('drivers.none')}</span>
                </td>
                {amounts(({ of }) => of(office))}
                <td className={cell} data-label={t('closing.handed')}>
                  <span className="font-strong">{amount(equation.inOffice)}</span>
                </td>
                <td className={classes(cell, unentered(equation, null) === 0 && leftOut)}>
                  <Unentered bhd={unentered(equation, null)} />
                </td>
                {bottles.cells(null)}
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-ink font-strong max-md:block max-md:py-2">
              <th scope="row" className={classes(cell, 'max-md:before:content-none')}>
                {t('closing.total')}
              </th>
              <td className={cell} data-label={t('closing.stops')}>
                <bdi>{t('drivers.doneOf', { done: sums.delivered, all: sums.stops })}</bdi>
              </td>
              {amounts(({ sum }) => sum, { isSum: true })}
              <td className={cell} data-label={t('closing.handed')}>
                {amount(cashIn(equation))}
              </td>
              <td className={cell} data-label={t('closing.difference')}>
                <Difference bhd={sums.difference} hasCash={hasCash} />
              </td>
              {bottles.cells('all')}
            </tr>
          </tfoot>
        </table>
      </div>
      <Signatures names={drivers.map(({ driver }) => driver.name ?? driver.phone)} />
    </section>
  )
}

/** Cash in the office: handed over, or received there. */
const cashIn = ({ handedOver, inOffice }: Equation) => addBhd(handedOver, inOffice)

const beside = 'md:border-s md:border-line md:ps-4'

type BottleLine = CashClosing['bottles'][number]

/** Cells of the bottles by type: of a driver, of the office, or the sums; none where no bottle moved. */
function useBottleCells(
  { bottles, bottleTypes, date, vendorId, closed }: CashClosing,
  onCount: (driverId: number) => void,
) {
  const { t } = useLanguage()
  const nameIn = useNameIn()
  const [only, ...others] = bottleTypes
  const titles = only ? bottleCounts.map((column) => t(`closing.bottles.${column}`)) : []
  /** Null until somebody has counted. */
  const sumOf = (lines: readonly BottleLine[], column: (typeof bottleCounts)[number]) => {
    const known = lines.flatMap((line) => line[column] ?? [])
    return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
  }
  const text = (
    lines: readonly BottleLine[],
    column: (typeof bottleCounts)[number],
    driverId: number | null | 'all',
  ) => {
    const count = sumOf(lines, column)
    // What leaves without a van is not counted in one.
    if (lines.length === 0 || (driverId === null && column !== 'delivered' && column !== 'returned'))
      return <span className="text-ink-3">{t('drivers.none')}</span>
    if (column !== 'difference')
      return count === null ? (
        <span className="text-ink-3">{t('closing.bottles.notCounted')}</span>
      ) : (
        <bdi className={column === 'counted' ? 'font-strong' : undefined}>{formatCount(count)}</bdi>
      )
    if (count === null) return <span className="text-ink-3">{t('drivers.none')}</span>
    if (count === 0)
      return (
        <span className="whitespace-nowrap">
          <CheckIcon size={16} aria-hidden="true" className="me-1.5 inline align-text-bottom text-aqua-ink" />
          {t('drivers.exact')}
        </span>
      )
    const words = t(count < 0 ? 'closing.bottles.short' : 'closing.bottles.over', { count: Math.abs(count) })
    if (driverId === 'all') return <span className="font-strong text-clay">{words}</span>
    return (
      <Link
        to="/admin/orders"
        search={{ by: 'promised', from: date, to: date, driver: [driverId ?? 'none'], vendor: vendorId } as never}
        className="font-strong text-clay underline"
      >
        {words}
      </Link>
    )
  }
  function cells(driverId: number | null | 'all', { isFolded = false } = {}) {
    const own = bottles.filter((line) => driverId === 'all' || line.driverId === driverId)
    return titles.map((label, i) => {
      const column = bottleCounts[i] ?? 'loaded'
      return (
        <td
          key={label}
          data-label={label}
          className={classes(cell, i === 0 && beside, (own.length === 0 || isFolded) && leftOut)}
        >
          <span className="max-md:text-end">
            {others.length === 0
              ? text(own, column, driverId)
              : bottleTypes.map((type) => (
                  <span key={type.id} className="block">
                    {i === 0 && <bdi className="text-caption text-ink-3">{nameIn(type)} </bdi>}
                    {text(
                      own.filter(({ typeId }) => typeId === type.id),
                      column,
                      driverId,
                    )}
                  </span>
                ))}
            {column === 'counted' && typeof driverId === 'number' && own.length > 0 && (
              <VanCounted lines={own} isClosed={closed !== null} onCount={() => onCount(driverId)} />
            )}
          </span>
        </td>
      )
    })
  }
  return { titles, only: only && others.length === 0 ? nameIn(only) : '', cells }
}

/** Lines on paper: each driver's, and who received the cash. */
function Signatures({ names }: { names: readonly string[] }) {
  const { t } = useLanguage()
  const rows = [
    ...names.map((name) => [name, t('drivers.driverSignature')] as const),
    [t('closing.officeSignature'), t('closing.signature')] as const,
  ]
  return (
    <dl className="mt-6 hidden grid-cols-3 gap-x-8 gap-y-5 print:grid">
      {rows.map(([name, word]) => (
        <div key={name} className="break-inside-avoid border-b border-ink pb-6">
          <dt className="font-strong">
            <bdi className="wrap-anywhere whitespace-normal">{name}</bdi>
          </dt>
          <dd className="text-caption text-ink-3">{word}</dd>
        </div>
      ))}
    </dl>
  )
}
