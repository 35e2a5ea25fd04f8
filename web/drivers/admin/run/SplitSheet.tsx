import { formatMoney, isWholeFils, nearestFils, toBhd } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import { useState } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { MoneyField } from '../../../ui/admin/form/fields.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { Button } from '../../../ui/Button.tsx'
import { MeansChoice, ReferenceField, takenBy } from './MeansPicker.tsx'
import type { Taken } from './run-actions.ts'

interface SplitSheetProps {
  /** BHD */
  due: number
  /** At least two. */
  offered: readonly PaymentMeans[]
  chosen: PaymentMeans
  onClose(): void
  onSave(taken: Taken[]): void
}

/** Payment by two means. The second pays what the first leaves, so that both add up to the amount due. */
export function SplitSheet({ due, offered, chosen, onClose, onSave }: SplitSheetProps) {
  const { t, lang } = useLanguage()
  const [first, setFirst] = useState(chosen)
  const [picked, setSecond] = useState<PaymentMeans | null>(null)
  const [references, setReferences] = useState<Partial<Record<PaymentMeans, string>>>({})
  const others = offered.filter((means) => means !== first)
  const second = others.find((means) => means === picked) ?? others[0] ?? first
  const dueText = formatMoney(nearestFils(due), lang)
  const isPart = (bhd: number | null): bhd is number => bhd !== null && bhd > 0 && bhd < due && isWholeFils(bhd)
  const restOf = (bhd: number) => toBhd(nearestFils(due - bhd))
  const taken = (means: PaymentMeans, amount: number) => takenBy(means, amount, references[means] ?? '')
  const form = useForm({
    body: undefined,
    start: { amount: null as number | null },
    toBody: ({ amount: typed }) => typed ?? 0,
    check: ({ amount: typed }) => (isPart(typed) ? {} : { amount: t('run.splitWrong', { amount: dueText }) }),
    send: async (typed) => onSave([taken(first, typed), taken(second, restOf(typed))]),
    onSaved: onClose,
  })
  const { amount } = form.values
  const reference = (means: PaymentMeans) => (
    <ReferenceField
      means={means}
      value={references[means] ?? ''}
      onChange={(typed) => setReferences({ ...references, [means]: typed })}
    />
  )
  const title = t('run.splitTitle', { amount: dueText })
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <form {...form.props} className="grid gap-3 p-5">
        <MeansChoice label={t('run.splitFirst')} offered={offered} chosen={first} onPick={setFirst} />
        <div data-first="">
          <MoneyField label={t('run.splitAmount', { means: t(`admin.means.${first}`) })} {...form.field('amount')} />
        </div>
        {reference(first)}
        <div className="mt-1 grid gap-3 border-t border-line pt-4">
          <MeansChoice label={t('run.splitSecond')} offered={others} chosen={second} onPick={setSecond} />
          <p role="status" className="flex items-center justify-between gap-3">
            <span>{t('run.splitRest', { means: t(`admin.means.${second}`) })}</span>
            {isPart(amount) ? <Money bhd={restOf(amount)} className="text-title" /> : <span aria-hidden="true">–</span>}
          </p>
          {reference(second)}
        </div>
        <Button type="submit" tone="aqua" size="big" className="mt-1 min-h-15!">
          {t('run.saveAmount')}
        </Button>
      </form>
    </Sheet>
  )
}
