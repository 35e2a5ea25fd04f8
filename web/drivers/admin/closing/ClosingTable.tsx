import { formatTime } from '@qatra/contract/calendar/calendar'
import type { CashClosing, Equation } from '@qatra/contract/cash-closing'
import { addFils, formatAmount, formatMoney, fromBhd, toBhd } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Avatar, distinctInitials } from '../../../ui/admin/Avatar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { holderOf, isShortage, meansOf } from './closing.ts'
import { Difference } from './Difference.tsx'

interface ClosingTableProps {
  closing: CashClosing
  onTake(driverId: number): void
  onCorrect(driverId: number): void
}

/** On a phone each row is a card, and a cell says its column. */
const cell =
  'px-2 py-2.5 text-start align-top first:ps-0 last:pe-0 max-md:flex max-md:items-baseline max-md:justify-between max-md:gap-3 max-md:px-0 max-md:py-1 max-md:before:flex-none max-md:before:text-caption max-md:before:text-ink-3 max-md:before:content-[attr(data-label)]'
const row = 'border-b border-line max-md:block max-md:py-2'

/** One row a driver, one of the office, and the totals. The first driver with cash has the page's aqua button. */
export function ClosingTable({ closing, onTake, onCorrect }: ClosingTableProps) {
  const { t, lang } = useLanguage()
  const { drivers, sums, closed, equation } = closing
  const nameOf = ({ driver: { name, phone } }: (typeof drivers)[number]) => name ?? phone
  const initials = distinctInitials(drivers.map(nameOf))
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
    {
      key: 'notCollected',
      label: t('closing.notCollected'),
      of: (holder: Holder) => holder.notCollected,
      sum: addBhd(equation.notCollected, -equation.otherDays),
    },
  ]
  /** The columns of a driver, of the office or of all. */
  const amounts = (amountIn: (one: (typeof columns)[number]) => number, isSum = false) =>
    columns.map((one) => {
      const bhd = amountIn(one)
      return (
        <td
          key={one.key}
          data-label={one.label}
          className={classes(cell, bhd === 0 && !isSum && one.key !== 'cash' && 'max-md:hidden')}
        >
          {bhd === 0 && !isSum ? <span className="text-ink-3">{t('drivers.none')}</span> : amount(bhd)}
        </td>
      )
    })
  const office = holderOf(closing, null)
  const isOffice = Object.keys(office.means).length > 0 || office.notCollected !== 0 || unentered(equation, null) !== 0
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
        <table className="w-full border-collapse max-md:block max-md:*:block print:text-caption">
          <thead className="max-md:sr-only">
            <tr className="border-b border-line text-caption text-ink-3">
              {[
                t('drivers.driver'),
                t('closing.stops'),
                ...columns.map(({ label }) => label),
                t('closing.handed'),
                t('closing.difference'),
              ].map((label) => (
                <th key={label} scope="col" className={classes(cell, 'max-md:before:content-none')}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {drivers.map((line) => {
              const { driver, stops, cash, received, reasons } = line
              const name = nameOf(line)
              const holder = holderOf(closing, driver.id)
              return (
                <tr key={driver.id} className={row}>
                  <th scope="row" className={classes(cell, 'max-md:before:content-none')}>
                    <span className="flex min-w-40 items-center gap-2.5 print:min-w-0">
                      <Avatar name={name} initials={initials.get(name)} />
                      <bdi className="min-w-0 font-strong wrap-anywhere whitespace-normal">{name}</bdi>
                    </span>
                  </th>
                  <td className={cell} data-label={t('closing.stops')}>
                    <span>
                      <bdi>{t('drivers.doneOf', { done: stops.delivered, all: stops.all })}</bdi>
                      {stops.attempted > 0 && (
                        <span className="block text-caption text-clay">
                          {t('closing.failed', { count: stops.attempted })}
                        </span>
                      )}
                    </span>
                  </td>
                  {amounts(({ of }) => of(holder))}
                  <td className={cell} data-label={t('closing.handed')}>
                    <span>
                      {received ? (
                        <>
                          <span className="font-strong">{amount(cash.handedOver)}</span>
                          {received.by && (
                            <span className="block text-caption text-ink-2">
                              {t('closing.receivedBy', {
                                name: received.by,
                                time: formatTime(new Date(received.at), lang),
                              })}
                            </span>
                          )}
                        </>
                      ) : (
                        <span className="text-ink-3">
                          {cash.inHand === 0 ? t('drivers.none') : t('closing.notHanded')}
                        </span>
                      )}
                    </span>
                  </td>
                  <td className={cell} data-label={t('closing.difference')}>
                    <span className="max-md:text-end">
                      {isShortage(cash) && !closed ? (
                        <>
                          <Difference bhd={cash.difference} />
                          <Button
                            tone="quiet"
                            size="small"
                            className="no-print mt-1"
                            onClick={() => onCorrect(driver.id)}
                          >
                            {t(cash.inHand > 0 ? 'closing.recordShort' : 'closing.recordOver', {
                              amount: formatAmount(fromBhd(Math.abs(cash.inHand))),
                            })}
                          </Button>
                        </>
                      ) : cash.inHand > 0 && !closed ? (
                        <>
                          <span className="hidden print:inline">
                            <Difference bhd={cash.difference} />
                          </span>
                          <Button
                            tone={driver === first?.driver ? 'aqua' : 'quiet'}
                            size="small"
                            className="no-print -my-1.5"
                            onClick={() => onTake(driver.id)}
                          >
                            {t('closing.receive', { amount: formatMoney(fromBhd(cash.inHand), lang) })}
                          </Button>
                        </>
                      ) : (
                        <Difference bhd={cash.difference} hasCash={cash.collected !== 0} />
                      )}
                      {reasons.map((reason) => (
                        <q key={reason} dir="auto" className="text-as-page block text-caption text-ink-2">
                          {reason}
                        </q>
                      ))}
                      <Unentered bhd={unentered(equation, driver.id)} />
                    </span>
                  </td>
                </tr>
              )
            })}
            {isOffice && (
              <tr className={row}>
                <th scope="row" className={classes(cell, 'max-md:before:content-none')}>
                  <span className="font-strong">{t('closing.office')}</span>
                </th>
                <td className={classes(cell, 'max-md:hidden')}>
                  <span className="text-ink-3">{t('drivers.none')}</span>
                </td>
                {amounts(({ of }) => of(office))}
                <td className={cell} data-label={t('closing.handed')}>
                  <span className="font-strong">{amount(equation.inOffice)}</span>
                </td>
                <td className={classes(cell, unentered(equation, null) === 0 && 'max-md:hidden')}>
                  <Unentered bhd={unentered(equation, null)} />
                </td>
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
              {amounts(({ sum }) => sum, true)}
              <td className={cell} data-label={t('closing.handed')}>
                {amount(cashIn(equation))}
              </td>
              <td className={cell} data-label={t('closing.difference')}>
                <Difference bhd={sums.difference} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      <Signatures names={drivers.map(({ driver }) => driver.name ?? driver.phone)} />
    </section>
  )
}

type Holder = ReturnType<typeof holderOf>

const addBhd = (...amounts: readonly number[]) => toBhd(addFils(...amounts.map(fromBhd)))

/** Cash in the office: handed over, or received there. */
const cashIn = ({ handedOver, inOffice }: Equation) => addBhd(handedOver, inOffice)

/** BHD of the orders of this driver, or of the office, for which there is no payment. */
const unentered = ({ unexplainedOrders }: Equation, driverId: number | null) =>
  addBhd(
    ...unexplainedOrders
      .filter((order) => order.amount > 0 && (order.driver?.id ?? null) === driverId)
      .map((order) => order.amount),
  )

function Unentered({ bhd }: { bhd: number }) {
  const { t } = useLanguage()
  if (bhd === 0) return null
  return (
    <span className="mt-3 block font-strong text-clay">
      {t('closing.noEntry', { amount: formatAmount(fromBhd(bhd)) })}
    </span>
  )
}

/** Lines on paper: each driver's, and who received the cash. */
function Signatures({ names }: { names: readonly string[] }) {
  const { t } = useLanguage()
  const rows = [
    ...names.map((name) => [name, t('drivers.driverSignature')] as const),
    [t('closing.officeSignature'), t('closing.signature')] as const,
  ]
  return (
    <dl className="mt-8 hidden grid-cols-2 gap-x-10 gap-y-8 print:grid">
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
