import { type CashDay, writeCash } from '@qatra/contract/drivers'
import { formatMoney, fromBhd, isWholeFils, nearestFils, toBhd } from '@qatra/contract/lib/money'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { MoneyField } from '../../../ui/admin/form/fields.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/Toast.tsx'

interface CashDialogProps {
  kind: 'handed-over' | 'correction'
  driver: { id: number; name: string | null; phone: string; vendorId: number }
  date: string
  inHand: number
  /** The correction takes off a difference after a handover, of which only the reason is asked. */
  isDifference?: boolean
  onClose(): void
  onSaved(day: CashDay): void
}

/** Records cash handed in, or a correction. */
export function CashDialog({ kind, driver, date, inHand, isDifference = false, onClose, onSaved }: CashDialogProps) {
  const { t, lang } = useLanguage()
  // One idempotency key per dialog: a repeated request writes once, and a changed one after a lost answer is refused.
  const [key] = useState(() => crypto.randomUUID())
  const isHandover = kind === 'handed-over'
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const isAmount = (amount: number | null) => amount !== null && isWholeFils(amount) && (!isHandover || amount > 0)
  const form = useForm({
    body: writeCash.body,
    start: { amount: isDifference ? toBhd(nearestFils(-inHand)) : (null as number | null), notes: '' },
    toBody: ({ amount, notes }) => ({
      kind,
      amount: amount ?? Number.NaN,
      key,
      date,
      vendorId: driver.vendorId,
      notes: notes.trim() || null,
    }),
    check: ({ amount, notes }) => ({
      ...(isAmount(amount) ? {} : { amount: t('run.amountWrong') }),
      ...(isHandover || notes.trim() !== '' ? {} : { notes: t('validation.required') }),
    }),
    send: (body) => call(writeCash, { params: { id: String(driver.id) }, body }),
    onSaved(day) {
      onSaved(day)
      toast({ title: t('drivers.saved', { amount: money(amount ?? 0) }) })
      onClose()
    },
    failureOf: ({ code }) =>
      code === 'CASH_DAY_CLOSED'
        ? t('closing.isClosed')
        : t(code === 'IDEMPOTENCY_KEY_REUSED' ? 'drivers.reused' : 'drivers.failed'),
  })
  const { amount } = form.values
  const difference = { amount: money(Math.abs(inHand)), name: driver.name ?? driver.phone }
  const saveWords = isHandover
    ? t('drivers.save')
    : isDifference
      ? t(inHand > 0 ? 'closing.recordShort' : 'closing.recordOver', difference)
      : t('drivers.saveCorrection')
  const title = isHandover
    ? t('drivers.handover')
    : isDifference
      ? t(inHand > 0 ? 'closing.shortTitle' : 'closing.overTitle', difference)
      : t('drivers.correct')
  const text = isHandover
    ? t('drivers.handoverText', { amount: money(inHand) })
    : isDifference
      ? t(inHand > 0 ? 'closing.shortText' : 'closing.overText')
      : t('drivers.correctText')

  /** Counted amount and expected amount, before saving. */
  function comparedWords(counted: number) {
    const more = toBhd(nearestFils(counted - inHand))
    if (more === 0) return t('drivers.exact')
    return more < 0 ? t('drivers.short', { amount: money(-more) }) : t('drivers.over', { amount: money(more) })
  }

  return (
    <Dialog
      open
      title={title}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: saveWords, tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <Form form={form} className="text-start">
        <p className="text-ink-2">{text}</p>
        {!isDifference && (
          <div data-first="">
            <MoneyField label={isHandover ? t('drivers.amount') : t('drivers.correction')} {...form.field('amount')} />
            {isHandover && (
              <p role="status" className="mt-1.5 min-h-6 text-ink">
                {isAmount(amount) && amount !== null && comparedWords(amount)}
              </p>
            )}
          </div>
        )}
        <div {...(isDifference ? { 'data-first': '' } : {})}>
          <TextField
            label={isHandover ? t('drivers.notes') : isDifference ? t('closing.reason') : t('drivers.notesWhy')}
            maxLength={500}
            {...form.text('notes')}
          />
        </div>
        {/* Enter in a field submits; the visible button is outside the form. */}
        <button type="submit" hidden>
          {saveWords}
        </button>
      </Form>
    </Dialog>
  )
}
