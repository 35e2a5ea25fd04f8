import { formatTime } from '@qatra/contract/calendar/calendar'
import type { CashClosing } from '@qatra/contract/cash-closing'
import { formatAmount, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Avatar, distinctInitials } from '../../../ui/admin/Avatar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { isShortage } from './closing.ts'
import { Difference } from './Difference.tsx'

interface ClosingTableProps {
  closing: CashClosing
  onTake(driverId: number): void
  onCorrect(driverId: number): void
}

const cell = 'px-2 py-2.5 text-start align-top first:ps-0 last:pe-0'

/** One row a driver, and the totals. The first driver with cash has the page's aqua button. */
export function ClosingTable({ closing, onTake, onCorrect }: ClosingTableProps) {
  const { t, lang } = useLanguage()
  const { drivers, sums, closed } = closing
  const nameOf = ({ driver: { name, phone } }: (typeof drivers)[number]) => name ?? phone
  const initials = distinctInitials(drivers.map(nameOf))
  const first = drivers.find(({ cash }) => cash.inHand > 0 && !isShortage(cash))
  const amount = (bhd: number) => <bdi>{formatAmount(fromBhd(bhd))}</bdi>
  if (drivers.length === 0) return <p className="text-ink-2">{t('closing.empty')}</p>
  return (
    <section aria-labelledby="closing-cash" className="min-w-0">
      <header className="mb-2 flex items-baseline justify-between gap-3">
        <h2 id="closing-cash" className="text-heading">
          {t('closing.cash')}
        </h2>
        <p className="text-caption text-ink-3">{t('closing.unit')}</p>
      </header>
      <div className="relative overflow-x-auto">
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-b border-line text-caption text-ink-3">
              {(
                [
                  'drivers.driver',
                  'closing.stops',
                  'closing.expected',
                  'closing.handedOver',
                  'closing.difference',
                ] as const
              ).map((key) => (
                <th key={key} scope="col" className={cell}>
                  {t(key)}
                </th>
              ))}
              <th scope="col" className={cell}>
                <span className="sr-only">{t('closing.handover')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {drivers.map((row) => {
              const { driver, stops, cash, received, reasons } = row
              const name = nameOf(row)
              return (
                <tr key={driver.id} className="border-b border-line">
                  <th scope="row" className={cell}>
                    <span className="flex min-w-40 items-center gap-2.5">
                      <Avatar name={name} initials={initials.get(name)} />
                      <bdi className="min-w-0 font-strong wrap-anywhere whitespace-normal">{name}</bdi>
                    </span>
                  </th>
                  <td className={cell}>
                    <bdi>{t('drivers.doneOf', { done: stops.delivered, all: stops.all })}</bdi>
                    {stops.attempted > 0 && (
                      <span className="block text-caption text-clay">
                        {t('closing.failed', { count: stops.attempted })}
                      </span>
                    )}
                  </td>
                  <td className={cell}>{amount(cash.expected)}</td>
                  <td className={cell}>
                    {received ? (
                      <span className="font-strong">{amount(cash.handedOver)}</span>
                    ) : (
                      <span className="text-ink-3">
                        {cash.inHand === 0 ? t('drivers.none') : t('closing.notHanded')}
                      </span>
                    )}
                  </td>
                  <td className={cell}>
                    <Difference bhd={cash.difference} hasCash={cash.collected !== 0} />
                    {reasons.map((reason) => (
                      <q key={reason} dir="auto" className="text-as-page block text-caption text-ink-2">
                        {reason}
                      </q>
                    ))}
                  </td>
                  <td className={cell}>
                    {isShortage(cash) && !closed ? (
                      <Button tone="quiet" size="small" className="no-print" onClick={() => onCorrect(driver.id)}>
                        {t(cash.inHand > 0 ? 'closing.recordShort' : 'closing.recordOver', {
                          amount: formatAmount(fromBhd(Math.abs(cash.inHand))),
                        })}
                      </Button>
                    ) : cash.inHand > 0 && !closed ? (
                      <Button
                        tone={driver === first?.driver ? 'aqua' : 'quiet'}
                        size="small"
                        className="no-print"
                        onClick={() => onTake(driver.id)}
                      >
                        {t('closing.receive', { amount: formatMoney(fromBhd(cash.inHand), lang) })}
                      </Button>
                    ) : (
                      received?.by && (
                        <span className="text-ink-2">
                          {t('closing.receivedBy', {
                            name: received.by,
                            time: formatTime(new Date(received.at), lang),
                          })}
                        </span>
                      )
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-ink font-strong">
              <th scope="row" className={cell}>
                {t('closing.total')}
              </th>
              <td className={cell}>
                <bdi>{t('drivers.doneOf', { done: sums.delivered, all: sums.stops })}</bdi>
              </td>
              <td className={cell}>{amount(sums.expected)}</td>
              <td className={cell}>{amount(sums.handedOver)}</td>
              <td className={cell} colSpan={2}>
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
