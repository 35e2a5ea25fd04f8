import { formatMoney, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { depositOfLine } from '@qatra/contract/orders/totals'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { Stepper } from '../ui/Stepper.tsx'

interface LineBottlesProps {
  /** For screen readers. */
  name: string
  quantity: number
  empties: number
  /** BHD for one bottle. */
  each: number
  /** Bottles that are recorded for the customer; null if not known. */
  held?: number | null
  /** Nothing is recorded and nothing was chosen, so that a new customer is asked. */
  isAsked?: boolean
  /** The office writes for a customer. */
  isByOffice?: boolean
  onChange(empties: number): void
}

/** How many empty bottles are given back for a line, and the deposit of the others. */
export function LineBottles({
  name,
  quantity,
  empties,
  each,
  held = null,
  isAsked,
  isByOffice,
  onChange,
}: LineBottlesProps) {
  const { t, lang } = useLanguage()
  const kept = Math.max(0, quantity - empties)
  const deposit = depositOfLine({ bottleDeposit: fromBhd(each), quantity, empties })
  const label = t(isByOffice ? 'bottles.customer.empties' : isAsked ? 'bottles.ask' : 'bottles.empties')
  return (
    <div className="grid gap-2.5 border-s-3 border-line ps-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-28 leading-[1.5]">
          {label}
          {held !== null && !isAsked && (
            <span className="block text-label text-ink-3">
              {t(isByOffice ? 'bottles.customer.held' : 'bottles.held', { count: held })}
            </span>
          )}
        </p>
        <Stepper
          name={`${label} · ${name}`}
          quantity={Math.min(empties, quantity)}
          max={quantity}
          maxReason={t(isByOffice ? 'bottles.customer.most' : 'bottles.most')}
          hasBin={false}
          isQuiet
          onChange={onChange}
          className="w-42"
        />
      </div>
      <p className="flex items-baseline justify-between gap-3 leading-[1.5]" role="status">
        <span>
          {t('bottles.deposit', { count: kept })}
          <span className="block text-label text-ink-3">
            {kept > 0 ? t('bottles.each', { amount: formatMoney(fromBhd(each), lang) }) : t('bottles.none')}
          </span>
        </span>
        <Money bhd={toBhd(deposit)} className="font-strong" />
      </p>
    </div>
  )
}
