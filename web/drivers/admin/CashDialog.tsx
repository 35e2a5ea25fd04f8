import { type CashDay, writeCash } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/money'
import { useState } from 'react'
import { CallError, call } from '../../app/call.ts'
import { useLanguage } from '../../app/i18n.tsx'
import { MoneyField } from '../../ui/admin/fields.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'

interface CashDialogProps {
  kind: 'handed-over' | 'correction'
  driver: { id: number; name: string | null; phone: string }
  date: string
  inHand: number
  onClose(): void
  onSaved(day: CashDay): void
}

/** Records cash handed in, or a correction. */
export function CashDialog({ kind, driver, date, inHand, onClose, onSaved }: CashDialogProps) {
  const { t, lang } = useLanguage()
  const [amount, setAmount] = useState<number | null>(null)
  const [notes, setNotes] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // One idempotency key per dialog: a repeated request writes once.
  const [key] = useState(() => crypto.randomUUID())
  const isHandover = kind === 'handed-over'
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const isAmount = amount !== null && Math.round(amount * 1000) / 1000 === amount && (!isHandover || amount > 0)
  const isReason = isHandover || notes.trim() !== ''

  const saveWords = isHandover ? t('drivers.save') : t('drivers.saveCorrection')

  /** Counted amount and expected amount, before saving. */
  function comparedWords(counted: number) {
    const more = Math.round((counted - inHand) * 1000) / 1000
    if (more === 0) return t('drivers.exact')
    return more < 0 ? t('drivers.short', { amount: money(-more) }) : t('drivers.over', { amount: money(more) })
  }

  async function save() {
    if (!isAmount || amount === null || !isReason) return setIsAsked(true)
    setIsBusy(true)
    setFailure(null)
    try {
      const body = { kind, amount, key, date, notes: notes.trim() || null }
      onSaved(await call(writeCash, { params: { id: String(driver.id) }, body }))
      toast({ title: t('drivers.saved', { amount: money(amount) }) })
      onClose()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(t('drivers.failed'))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={isHandover ? t('drivers.handover') : t('drivers.correct')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      act={{
        label: saveWords,
        tone: 'gulf',
        busy: isBusy,
        onChoose: () => void save(),
      }}
    >
      <form
        noValidate
        className="grid gap-4 text-start"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void save()
        }}
      >
        <p className="text-ink-2">
          {isHandover ? t('drivers.handoverText', { amount: money(inHand) }) : t('drivers.correctText')}
        </p>
        <div data-first="">
          <MoneyField
            label={isHandover ? t('drivers.amount') : t('drivers.correction')}
            value={amount}
            onChange={setAmount}
            error={isAsked && !isAmount ? t('run.amountWrong') : undefined}
          />
          {isHandover && (
            <p role="status" className="mt-1.5 min-h-6 text-ink">
              {isAmount && amount !== null && comparedWords(amount)}
            </p>
          )}
        </div>
        <TextField
          label={isHandover ? t('drivers.notes') : t('drivers.notesWhy')}
          value={notes}
          maxLength={500}
          onChange={(event) => setNotes(event.target.value)}
          error={isAsked && !isReason ? t('validation.required') : undefined}
        />
        {failure && (
          <p role="alert" className="text-clay">
            {failure}
          </p>
        )}
        {/* Enter in a field saves; the button one sees stands outside the form. */}
        <button type="submit" hidden>
          {saveWords}
        </button>
      </form>
    </Dialog>
  )
}
