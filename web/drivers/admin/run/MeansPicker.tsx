import { westernDigits } from '@qatra/contract/lib/digits'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import { useId, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/Field.tsx'
import { CashIcon, type Icon } from '../../../ui/icons.tsx'
import { AccountIcon, BankIcon, BookletIcon, CardIcon, ChequeIcon, MobileIcon } from './icons.ts'
import type { Taken } from './run-actions.ts'

const icons: Record<PaymentMeans, Icon> = {
  cash: CashIcon,
  benefitpay: MobileIcon,
  card: CardIcon,
  transfer: BankIcon,
  cheque: ChequeIcon,
  account: AccountIcon,
  booklet: BookletIcon,
}
const MOST_CHARACTERS = 40

const hasReference = (means: PaymentMeans): boolean => ['benefitpay', 'transfer', 'cheque'].includes(means)

/** What was taken, with the reference that the means can have, reduced to characters that the server accepts. */
export function takenBy(means: PaymentMeans, amount: number, reference: string): Taken {
  const plain = westernDigits(reference)
    .replaceAll(/[^\p{L}\p{N} ./#-]/gu, '')
    .trim()
  return { means, amount, ...(hasReference(means) && plain && { reference: plain }) }
}

/** Choice of the means by which a stop is paid. @param offered those that the vendor's drivers take */
export function useMeans(offered: readonly PaymentMeans[]) {
  const [picked, setPicked] = useState<PaymentMeans | null>(null)
  const [reference, setReference] = useState('')
  const usual = offered.includes('cash') ? 'cash' : (offered[0] ?? 'cash')
  const chosen = picked && offered.includes(picked) ? picked : usual
  return {
    offered,
    chosen,
    reference,
    setReference,
    pick(means: PaymentMeans) {
      setPicked(means)
      setReference('')
    },
    /** There is nothing to choose. */
    isOnlyCash: offered.every((means) => means === 'cash'),
    takenOf: (amount: number): Taken[] => [takenBy(chosen, amount, reference)],
  }
}
export type Means = ReturnType<typeof useMeans>

interface MeansChoiceProps {
  label: string
  offered: readonly PaymentMeans[]
  chosen: PaymentMeans
  onPick(means: PaymentMeans): void
}

/** Radio inputs, so that the arrow keys choose. */
export function MeansChoice({ label, offered, chosen, onPick }: MeansChoiceProps) {
  const t = useT()
  const name = useId()
  return (
    <fieldset aria-label={label} className="flex min-w-0 flex-wrap gap-2">
      {offered.map((means) => {
        const isChosen = means === chosen
        const MeansIcon = icons[means]
        return (
          <label
            key={means}
            className={buttonClass(
              isChosen ? 'gulf' : 'quiet',
              'normal',
              classes(
                'relative min-h-13 flex-1 cursor-pointer px-2! whitespace-nowrap',
                // Three in a row, two where one would be left over.
                offered.length % 3 === 1 ? 'basis-2/5' : 'basis-24',
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              ),
            )}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-pointer appearance-none opacity-0"
              checked={isChosen}
              onChange={() => onPick(means)}
            />
            <MeansIcon size={20} aria-hidden="true" className="flex-none" />
            {t(`admin.means.${means}`)}
          </label>
        )
      })}
    </fieldset>
  )
}

interface ReferenceFieldProps {
  means: PaymentMeans
  value: string
  onChange(reference: string): void
}

/** Optional; nothing for means without a reference. */
export function ReferenceField({ means, value, onChange }: ReferenceFieldProps) {
  const t = useT()
  if (!hasReference(means)) return null
  return (
    <TextField
      label={t('run.reference', { means })}
      value={value}
      maxLength={MOST_CHARACTERS}
      autoComplete="off"
      enterKeyHint="done"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** Means and reference; nothing where drivers take only cash. */
export function MeansPicker({ pay }: { pay: Means }) {
  const t = useT()
  if (pay.isOnlyCash) return null
  return (
    <div className="grid gap-2">
      <MeansChoice label={t('run.means')} offered={pay.offered} chosen={pay.chosen} onPick={pay.pick} />
      <ReferenceField means={pay.chosen} value={pay.reference} onChange={pay.setReference} />
    </div>
  )
}
