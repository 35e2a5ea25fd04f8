import type { CashClosing } from '@qatra/contract/cash-closing'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { CheckIcon, WarningIcon } from '../../../ui/icons.tsx'
import type { CashQuestion } from './CashDialog.tsx'
import { isShortage, redSums } from './closing.ts'

interface MissingListProps {
  closing: CashClosing
  onAsk(kind: CashQuestion, driverId: number): void
}

/** More drivers than these are counted in one line: each has the button in his row too. */
const MOST_NAMED = 3

const act = 'min-h-6 text-aqua-ink hover:underline max-md:min-h-tap'

/** What has to be done before the day can be closed, each with its way. */
export function MissingList({ closing, onAsk }: MissingListProps) {
  const { t, lang } = useLanguage()
  const { missing, equation, drivers, closed, date, vendorId } = closing
  if (closed) return null
  const findDriver = (id: number) => drivers.find(({ driver }) => driver.id === id)
  const isHolding = ({ driverId, amount }: (typeof missing.cash)[number]) => {
    const found = findDriver(driverId)
    return amount > 0 && !(found && isShortage(found.cash))
  }
  const holding = missing.cash.filter(isHolding)
  const isCounted = holding.length > MOST_NAMED
  const named = isCounted ? missing.cash.filter((one) => !isHolding(one)) : missing.cash
  const money = (bhd: number) => formatMoney(fromBhd(Math.abs(bhd)), lang)
  return (
    <section aria-labelledby="closing-before" className="min-w-0 flex-1">
      <h2 id="closing-before" className="sr-only">
        {t('closing.before')}
      </h2>
      <ul className="flex flex-wrap gap-x-7 gap-y-1 max-md:block max-md:*:border-b max-md:*:border-line">
        {!missing.begun && <Line isMissing>{t('closing.notBegun')}</Line>}
        {missing.openOrders > 0 ? (
          <Line
            isMissing
            act={
              <Link
                to="/admin/orders"
                search={
                  {
                    by: 'promised',
                    from: date,
                    to: date,
                    status: ['new', 'in-progress', 'shipped'],
                    vendor: vendorId,
                  } as never
                }
                className={act}
              >
                {t('closing.showOrders')}
              </Link>
            }
          >
            {t('closing.openOrders', { count: missing.openOrders })}
          </Line>
        ) : (
          <Line>{t('closing.everyResult')}</Line>
        )}
        {missing.cash.length === 0 && <Line>{t('closing.allCash')}</Line>}
        {isCounted && <Line isMissing>{t('closing.holdMany', { count: holding.length })}</Line>}
        {named.map(({ driverId, amount }) => {
          const found = findDriver(driverId)
          const name = found?.driver.name ?? found?.driver.phone ?? ''
          // What is left after a handover is a difference, which a correction explains.
          const isDifference = found !== undefined && isShortage(found.cash)
          return (
            <Line
              key={driverId}
              isMissing
              act={
                <button
                  type="button"
                  className={act}
                  onClick={() => onAsk(isDifference ? 'difference' : 'handed-over', driverId)}
                >
                  {isDifference ? t('closing.writeReason') : t('closing.receive', { amount: money(amount) })}
                </button>
              }
            >
              {isDifference
                ? t(amount > 0 ? 'closing.isShort' : 'closing.tooMuch', { name })
                : t(amount > 0 ? 'closing.holds' : 'closing.tooMuch', { name })}
              {isDifference && (
                <span className="text-ink-2">
                  {' '}
                  <bdi>{money(amount)}</bdi>
                </span>
              )}
            </Line>
          )
        })}
        {redSums(equation).map(({ key, bhd }) => (
          <Line key={key} isMissing>
            {t(key === 'paidBeyond' ? 'closing.tooMuchPaid' : 'closing.unexplained', { amount: money(bhd) })}
          </Line>
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  isMissing?: boolean
  act?: ReactNode
  children: ReactNode
}

function Line({ isMissing = false, act: end, children }: LineProps) {
  return (
    <li className="flex items-start gap-2 py-1 max-md:min-h-tap max-md:items-center">
      {isMissing ? (
        <WarningIcon size={18} aria-hidden="true" className="mt-0.5 flex-none text-clay max-md:mt-0" />
      ) : (
        <CheckIcon size={18} aria-hidden="true" className="mt-0.5 flex-none text-aqua-ink max-md:mt-0" />
      )}
      <div className="min-w-0 max-md:flex-1">{children}</div>
      {end}
    </li>
  )
}
