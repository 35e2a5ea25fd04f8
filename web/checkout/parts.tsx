import { formatClock } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, daysUntil } from '@qatra/contract/calendar/slot'
import { formatPhone } from '@qatra/contract/lib/phone'
import { type ReactNode, useState } from 'react'
import { useToday } from '../delivery/use-today.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { CashIcon, ClockIcon, type Icon, LockIcon, UserIcon } from '../ui/icons.tsx'
import type { CheckoutFormState } from './use-checkout-form.ts'

/** Separated by a band on a phone, by a line on a wide screen. */
const band = '-mx-4 border-b-8 border-well px-4 lg:mx-0 lg:border-b lg:border-line lg:px-0 lg:last:border-0'

export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`checkout-part-${id}`} className={`${band} py-5 lg:py-7 lg:first:pt-0`}>
      <h2 id={`checkout-part-${id}`} className="mb-3.5 text-heading">
        {title}
      </h2>
      {children}
    </section>
  )
}

interface CutOffLineProps {
  /** HH:MM */
  cutOff: string | null
  /** The first open one. */
  promised: DeliverySlot | null
}

/** Until when an order arrives tomorrow. A later first day does not always depend on the cut-off. */
export function CutOffLine({ cutOff, promised }: CutOffLineProps) {
  const { t, lang } = useLanguage()
  const today = useToday()
  if (cutOff === null || promised === null || daysUntil(promised, today) !== 1) return null
  return (
    <p className="mt-2.5 flex gap-2 text-label text-ink-3">
      <ClockIcon size={18} aria-hidden="true" className="mt-0.5 flex-none" />
      {t('checkout.cutOff', { time: formatClock(cutOff, lang) })}
    </p>
  )
}

/** Fields that are folded away. `isNeeded` opens them for good, so that they stay while they are mended. */
export function useFold(isNeeded: boolean) {
  const [isOpen, setOpen] = useState(isNeeded)
  if (isNeeded && !isOpen) setOpen(true)
  return { isOpen: isOpen || isNeeded, open: () => setOpen(true), close: () => setOpen(false) }
}

interface FoldedRowProps {
  icon: Icon
  /** What its button does, and to what. */
  action: string
  about: string
  onOpen(): void
  children: ReactNode
}

/** What is filled in already, in one line with a button that opens its fields. */
export function FoldedRow({ icon: Sign, action, about, onOpen, children }: FoldedRowProps) {
  return (
    <div className="flex items-start gap-3 py-1">
      <Sign size={22} aria-hidden="true" className="mt-2.5 flex-none text-gulf" />
      <div className="min-w-0 flex-1 self-center py-1.5 leading-normal">{children}</div>
      <Button tone="link" className="-me-2 min-w-tap justify-end" aria-label={`${action}: ${about}`} onClick={onOpen}>
        {action}
      </Button>
    </div>
  )
}

/** Who orders: in one line if the name is known. */
export function PersonPart({ state, phone }: { state: CheckoutFormState; phone: string }) {
  const t = useT()
  const { customerName: name } = state.form
  const fields = useFold(!state.isNamed || state.problems.customerName !== undefined)
  if (fields.isOpen)
    return (
      <Part id="person" title={t('checkout.person')}>
        <PersonFields state={state} phone={phone} />
      </Part>
    )
  return (
    <section aria-label={t('checkout.person')} className={`${band} py-2 lg:py-4`}>
      <FoldedRow icon={UserIcon} action={t('checkout.edit')} about={t('checkout.name')} onOpen={fields.open}>
        <bdi dir="auto" className="wrap-anywhere">
          {name}
        </bdi>{' '}
        · <Phone phone={phone} />
      </FoldedRow>
    </section>
  )
}

function PersonFields({ state, phone }: { state: CheckoutFormState; phone: string }) {
  const t = useT()
  return (
    <div className="grid gap-x-3 gap-y-3.5 md:grid-cols-2">
      <TextField
        id="checkout-customerName"
        name="customerName"
        label={t('checkout.name')}
        autoComplete="name"
        maxLength={100}
        value={state.form.customerName}
        error={state.problems.customerName}
        onChange={({ currentTarget }) => state.setName(currentTarget.value)}
      />
      <TextField
        name="phone"
        label={t('checkout.phone')}
        readOnly
        ltr
        inputMode="tel"
        value={formatPhone(phone)}
        icon={<LockIcon size={18} aria-hidden="true" />}
      />
    </div>
  )
}

/** Cash, the only payment method, shown as selected. */
export function CashPayment() {
  const t = useT()
  return (
    <label className="flex min-h-14 items-center gap-3 rounded-m px-3.5 inset-ring-2 inset-ring-gulf has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      <CashIcon size={24} aria-hidden="true" />
      <span className="flex-1">{t('checkout.cash')}</span>
      <input type="radio" name="paymentMethod" value="cash" checked readOnly className="sr-only" />
      <span aria-hidden="true" className="size-5 rounded-full border-6 border-gulf" />
    </label>
  )
}
