import type { RunStop } from '@qatra/contract/drivers'
import { formatMoney, isWholeFils, nearestFils } from '@qatra/contract/lib/money'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { MoneyField } from '../../../ui/admin/form/fields.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type Means, MeansPicker } from './MeansPicker.tsx'

interface AmountSheetProps {
  stop: RunStop
  /** BHD */
  due: number
  pay: Means
  onClose(): void
  onSave(amount: number): void
}

const MOST = 100_000
const isAmount = (bhd: number | null): bhd is number => bhd !== null && bhd >= 0 && bhd <= MOST && isWholeFils(bhd)

/** Entry of an amount other than the one due; accepts Arabic digits. */
export function AmountSheet({ stop, due, pay, onClose, onSave }: AmountSheetProps) {
  const { t, lang } = useLanguage()
  const form = useForm({
    body: undefined,
    start: { amount: null as number | null },
    toBody: ({ amount: typed }) => typed ?? 0,
    check: ({ amount: typed }) => (isAmount(typed) ? {} : { amount: t('run.amountWrong') }),
    send: async (typed) => onSave(typed),
    onSaved: onClose,
  })
  const { amount } = form.values
  const money = (bhd: number) => formatMoney(nearestFils(bhd), lang)
  const more = isAmount(amount) ? amount - due : 0
  const title = t('run.otherAmountTitle', { name: stop.customerName })
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <form {...form.props} className="grid gap-4 p-5">
        <div data-first="">
          <MoneyField
            label={t('run.amount')}
            hint={t('run.amountDue', { amount: money(due) })}
            {...form.field('amount')}
          />
        </div>
        <MeansPicker pay={pay} />
        <p role="status" className="min-h-6 text-ink">
          {isAmount(amount) && more < 0 && t('run.amountShort', { amount: money(-more) })}
          {isAmount(amount) && more > 0 && t('run.amountMore', { amount: money(more) })}
        </p>
        <Button type="submit" tone="aqua" size="big">
          {t('run.saveAmount')}
        </Button>
      </form>
    </Sheet>
  )
}
