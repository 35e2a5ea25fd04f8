import { type DriverDay } from '@qatra/contract/driver-board'
import { type CashDay, writeCash } from '@qatra/contract/drivers'
import { formatMoney, fromBhd, isWholeFils, nearestFils, toBhd } from '@qatra/contract/lib/money'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { AmountDialog, isAmount, isReason } from '../../../orders/admin/AmountDialog.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { toast } from '../../../ui/Toast.tsx'

/** `difference`: a correction that takes off what is left after a handover, of which only the reason is asked. */
export type CashQuestion = 'handed-over' | 'correction' | 'difference' | 'written-off'

interface CashDialogProps {
  kind: CashQuestion
  driver: DriverDay['driver']
  date: string
  cash: Pick<DriverDay['cash'], 'inHand' | 'shortage'>
  onClose(): void
  onSaved(day: CashDay): void
}

/** Records cash handed in, a correction, or a shortage that is written off. */
export function CashDialog({ kind, driver, date, cash: { inHand, shortage }, onClose, onSaved }: CashDialogProps) {
  const { t, lang } = useLanguage()
  // One idempotency key per dialog: a repeated request writes once, and a changed one after a lost answer is refused.
  const [key] = useState(() => crypto.randomUUID())
  const [isLess, setIsLess] = useState(true)
  const isHandover = kind === 'handed-over'
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const known = { difference: toBhd(nearestFils(-inHand)), 'written-off': shortage }
  const form = useForm({
    body: writeCash.body,
    start: { amount: kind === 'difference' || kind === 'written-off' ? known[kind] : null, notes: '' },
    toBody: ({ amount, notes }) => ({
      kind: kind === 'difference' ? 'correction' : kind,
      amount: (amount ?? Number.NaN) * (kind === 'correction' && isLess ? -1 : 1),
      key,
      // What is written off is booked today, whichever day the shortage is of.
      ...(kind === 'written-off' ? {} : { date }),
      vendorId: driver.vendorId,
      notes: notes.trim() || null,
    }),
    check: ({ amount, notes }) => ({
      ...((kind === 'difference' ? amount !== null && isWholeFils(amount) : isAmount(amount))
        ? {}
        : { amount: t('run.amountWrong') }),
      ...(isHandover || isReason(notes) ? {} : { notes: t('admin.form.reasonNeeded') }),
    }),
    send: (body) => call(writeCash, { params: { id: String(driver.id) }, body }),
    onSaved(day) {
      onSaved(day)
      toast({ title: words.saved })
      onClose()
    },
    failureOf: (error) => refusalText(t, error, 'drivers'),
  })
  const { amount } = form.values
  const written = isAmount(amount) ? money(amount) : ''
  const who = { amount: money(Math.abs(kind === 'written-off' ? shortage : inHand)), name: driver.name ?? driver.phone }
  const words = {
    'handed-over': {
      title: t('drivers.handover'),
      text: t('drivers.handoverText', { amount: money(inHand) }),
      amount: t('drivers.amount'),
      reason: t('drivers.notes'),
      save: t('drivers.save'),
      saved: t('drivers.saved', { amount: written }),
    },
    correction: {
      title: t('drivers.correctTitle', who),
      text: (
        <>
          <p className="mb-3">{t('drivers.correctText')}</p>
          <Segmented
            label={t('drivers.difference')}
            value={isLess ? 'less' : 'more'}
            options={[
              { value: 'less', label: t('drivers.correctLess') },
              { value: 'more', label: t('drivers.correctMore') },
            ]}
            onChange={(value) => setIsLess(value === 'less')}
          />
        </>
      ),
      amount: t('drivers.correction'),
      reason: t('closing.reason'),
      save: written
        ? t(isLess ? 'closing.recordShort' : 'closing.recordOver', { amount: written })
        : t('drivers.saveCorrection'),
      saved: t('drivers.savedCorrection'),
    },
    difference: {
      title: t(inHand > 0 ? 'closing.shortTitle' : 'closing.overTitle', who),
      text: t(inHand > 0 ? 'closing.shortText' : 'closing.overText'),
      amount: null,
      reason: t('closing.reason'),
      save: t(inHand > 0 ? 'closing.recordShort' : 'closing.recordOver', who),
      saved: t('drivers.savedCorrection'),
    },
    'written-off': {
      title: t('closing.writeOffTitle', who),
      text: t('closing.writeOffText', who),
      amount: t('closing.writeOffAmount'),
      reason: t('closing.reason'),
      save: t('closing.writeOff', { amount: written }),
      saved: t('closing.writtenOff', { amount: written }),
    },
  }[kind]

  /** Counted amount and expected amount, before saving. */
  function comparedWords(counted: number) {
    const more = toBhd(nearestFils(counted - inHand))
    if (more === 0) return t('drivers.exact')
    return more < 0 ? t('drivers.short', { amount: money(-more) }) : t('drivers.over', { amount: money(more) })
  }

  return (
    <AmountDialog
      form={form}
      title={words.title}
      text={words.text}
      save={words.save}
      {...(words.amount !== null && { amount: { label: words.amount, ...form.field('amount') } })}
      {...(isHandover && { effect: isAmount(amount) && comparedWords(amount) })}
      reason={{ label: words.reason, ...form.text('notes') }}
      onClose={onClose}
    />
  )
}
