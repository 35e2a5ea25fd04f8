import { formatTime } from '@qatra/contract/calendar/calendar'
import type { CashClosing } from '@qatra/contract/cash-closing'
import type { DriverDay } from '@qatra/contract/driver-board'
import { formatAmount, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { type ReactNode, useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Avatar } from '../../../ui/admin/Avatar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CheckIcon, DownIcon, UpIcon } from '../../../ui/icons.tsx'
import type { CashQuestion } from './CashDialog.tsx'
import { type Holder, holderOf, isSettled, isShortage, unentered } from './closing.ts'
import { Difference } from './Difference.tsx'

/** On a phone each row is a card, and a cell says its column. */
export const cell =
  'px-2 py-2.5 text-start align-baseline first:ps-0 last:pe-0 max-md:flex max-md:items-baseline max-md:justify-between max-md:gap-3 max-md:px-0 max-md:py-1 max-md:before:flex-none max-md:before:text-caption max-md:before:text-ink-3 max-md:before:content-[attr(data-label)] print:py-1.5'
export const row = 'border-b border-line max-md:block'
/** A cell that its card on a phone leaves out; paper shows all. */
export const leftOut = 'max-md:not-print:hidden'

interface DriverLineProps {
  closing: CashClosing
  line: CashClosing['drivers'][number]
  initials: string | undefined
  /** The first driver with cash: his button is the page's aqua one. */
  isFirst: boolean
  onAsk(kind: CashQuestion, driverId: number): void
  /** The cells of the means. */
  amounts(amountIn: (column: { of(holder: Holder): number }) => number, shown: { isFolded: boolean }): ReactNode
  /** The cells of the bottles. */
  bottles(isFolded: boolean): ReactNode
}

/** A driver of the day. On a phone one whose cash matches is one line, which opens. */
export function DriverLine({ closing, line, initials, isFirst, onAsk, amounts, bottles }: DriverLineProps) {
  const { t, lang } = useLanguage()
  const { closed, equation } = closing
  const { driver, stops, cash, received, reasons } = line
  const [isOpened, setOpened] = useState(false)
  const name = driver.name ?? driver.phone
  const holder = holderOf(closing, driver.id)
  const isMatch = isSettled(closing, line)
  const isFolded = isMatch && !isOpened
  const hasCash = cash.collected !== 0 || cash.handedOver !== 0
  const handedOver = <bdi className="font-strong">{formatAmount(fromBhd(cash.handedOver))}</bdi>
  return (
    <tr className={classes(row, isFolded ? 'max-md:py-0.5' : 'max-md:py-2')}>
      <th scope="row" className={classes(cell, 'max-md:relative max-md:items-center max-md:before:content-none')}>
        <span className="flex min-w-40 items-center gap-2.5 max-md:min-w-0 print:min-w-0">
          <span className="contents print:hidden">
            <Avatar name={name} initials={initials} />
          </span>
          <bdi className="min-w-0 font-strong wrap-anywhere whitespace-normal">{name}</bdi>
        </span>
        {isMatch && (
          <button
            type="button"
            aria-expanded={!isFolded}
            className="no-print inline-flex min-h-tap flex-none items-center gap-2 after:absolute after:inset-0 md:hidden"
            onClick={() => setOpened(isFolded)}
          >
            <span className="sr-only">{name}</span>
            {hasCash ? (
              <>
                {handedOver}
                <CheckIcon size={18} aria-hidden="true" className="flex-none text-aqua-ink" />
                <span className="sr-only">{t('drivers.exact')}</span>
              </>
            ) : (
              <span className="text-ink-3">{t('drivers.none')}</span>
            )}
            {isFolded ? (
              <DownIcon size={18} aria-hidden="true" className="flex-none text-ink-3" />
            ) : (
              <UpIcon size={18} aria-hidden="true" className="flex-none text-ink-3" />
            )}
          </button>
        )}
      </th>
      <td className={classes(cell, isFolded && leftOut)} data-label={t('closing.stops')}>
        <span>
          <bdi>{t('drivers.doneOf', { done: stops.delivered, all: stops.all })}</bdi>
          {stops.attempted > 0 && (
            <span className="block text-caption text-clay">{t('closing.failed', { count: stops.attempted })}</span>
          )}
        </span>
      </td>
      {amounts(({ of }) => of(holder), { isFolded })}
      <td className={classes(cell, isFolded && leftOut)} data-label={t('closing.handed')}>
        <span className="max-md:text-end">
          {received ? (
            <>
              {handedOver}
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
            <span className="text-ink-3">{cash.inHand === 0 ? t('drivers.none') : t('closing.notHanded')}</span>
          )}
        </span>
      </td>
      <td className={classes(cell, isFolded && leftOut)} data-label={t('closing.difference')}>
        <span className="max-md:text-end">
          {isShortage(cash) && !closed ? (
            <>
              <span className="block">
                <Difference bhd={cash.difference} />
              </span>
              <Button
                tone="quiet"
                size="small"
                className="no-print mt-1"
                onClick={() => onAsk('difference', driver.id)}
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
                tone={isFirst ? 'aqua' : 'quiet'}
                size="small"
                className="no-print -my-1.5"
                onClick={() => onAsk('handed-over', driver.id)}
              >
                {t('closing.receive', { amount: formatMoney(fromBhd(cash.inHand), lang) })}
              </Button>
            </>
          ) : (
            <Difference bhd={cash.difference} hasCash={hasCash} />
          )}
          {reasons.map((reason) => (
            <q key={reason} dir="auto" className="text-as-page block text-caption text-ink-2">
              {reason}
            </q>
          ))}
          <Shortage cash={cash} onWriteOff={() => onAsk('written-off', driver.id)} />
          <Unentered bhd={unentered(equation, driver.id)} />
        </span>
      </td>
      {bottles(isFolded)}
    </tr>
  )
}

/** What was written off on the day, and what the driver is short of on all days. */
function Shortage({ cash: { writtenOff, shortage }, onWriteOff }: { cash: DriverDay['cash']; onWriteOff(): void }) {
  const { t } = useLanguage()
  const mayWriteOff = useUser()?.permissions.includes('orders.refund')
  const amount = { amount: formatAmount(fromBhd(shortage)) }
  return (
    <>
      {writtenOff > 0 && (
        <span className="block text-caption">
          {t('closing.writtenOff', { amount: formatAmount(fromBhd(writtenOff)) })}
        </span>
      )}
      {shortage > 0 && <span className="block text-caption text-clay">{t('closing.stillShort', amount)}</span>}
      {shortage > 0 && mayWriteOff && (
        <Button tone="quiet" size="small" className="no-print mt-1" onClick={onWriteOff}>
          {t('closing.writeOffShort')}
        </Button>
      )}
    </>
  )
}

export function Unentered({ bhd }: { bhd: number }) {
  const { t } = useLanguage()
  if (bhd === 0) return null
  return (
    <span className="mt-3 block font-strong text-clay">
      {t('closing.noEntry', { amount: formatAmount(fromBhd(bhd)) })}
    </span>
  )
}
