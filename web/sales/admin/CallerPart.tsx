import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { silhouetteOf } from '@qatra/contract/products/sizes'
import type { SalesCustomer } from '@qatra/contract/sales'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useNameIn } from '../../app/names.ts'
import { useDebouncedValue } from '../../lib/debounce.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { Bottle } from '../../ui/Bottle.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { Units } from '../../ui/Units.tsx'
import { useCaller } from './api.ts'
import { fieldId, focusSoon, nextStop } from './focus.ts'
import type { Sale } from './use-sale.ts'

/** No lookup while the number is incomplete. */
const TYPING_MS = 300
export const againId = 'sale-again'

interface CallerPartProps {
  sale: Sale
  /** Copies the lines of the last order. */
  onAgain(customer: SalesCustomer): void
}

/** The caller: phone, last order, name. */
export function CallerPart({ sale, onAgain }: CallerPartProps) {
  const t = useT()
  const { draft, problems, change, fillIn } = sale
  const [lookupPhone, setLookupPhone] = useDebouncedValue(draft.phone, TYPING_MS)
  const isGoingOn = useRef(false)
  const part = useRef<HTMLElement>(null)
  const caller = useCaller(lookupPhone)

  const { phone, customer, isNew, isFailed } = caller
  const isKnown = customer !== null || isNew || isFailed
  useEffect(() => {
    if (phone === null || !(customer || isNew)) return
    fillIn(phone, customer)
  }, [phone, customer, isNew]) // oxlint-disable-line react/exhaustive-deps -- once for each answer, not for each draft
  useEffect(() => {
    if (!isGoingOn.current || !isKnown) return
    isGoingOn.current = false
    if (customer?.lastOrder) focusSoon(againId)
    else {
      const field = document.getElementById(fieldId('phone'))
      const form = part.current?.closest('form')
      if (form && field) requestAnimationFrame(() => nextStop(form, field)?.focus())
    }
  }, [isKnown, customer])

  const onPhoneKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    // The next focus depends on whether the caller is known.
    if (caller.phone === null && lookupPhone === draft.phone) return
    event.preventDefault()
    if (isKnown && lookupPhone === draft.phone) {
      if (customer?.lastOrder) return focusSoon(againId)
      const form = event.currentTarget.closest('form')
      return form ? nextStop(form, event.currentTarget)?.focus() : undefined
    }
    isGoingOn.current = true
    setLookupPhone(draft.phone)
  }

  return (
    <section ref={part} aria-labelledby="sale-caller" className="grid gap-3.5">
      <h2 id="sale-caller" className="text-heading">
        {t('sale.customer')}
      </h2>
      <div className="grid items-start gap-3.5 sm:grid-cols-2">
        <TextField
          id={fieldId('phone')}
          label={t('sale.phone')}
          type="tel"
          inputMode="tel"
          ltr
          autoComplete="off"
          maxLength={40}
          placeholder="3600 0000"
          value={draft.phone}
          error={problems['phone']}
          hint={
            caller.isLooking
              ? t('sale.looking')
              : isNew
                ? t('sale.newCustomer')
                : isFailed
                  ? t('sale.lookUpFailed')
                  : customer
                    ? t('sale.known', { count: customer.orderCount })
                    : t('sale.hint')
          }
          onChange={({ target }) => change({ phone: target.value }, 'phone')}
          onKeyDown={onPhoneKey}
        />
        <TextField
          id={fieldId('customerName')}
          data-stop=""
          label={t('sale.name')}
          autoComplete="off"
          maxLength={100}
          value={draft.name}
          error={problems['customerName']}
          onChange={({ target }) => change({ name: target.value }, 'customerName')}
        />
      </div>
      {customer?.lastOrder && <LastOrder order={customer.lastOrder} onAgain={() => onAgain(customer)} />}
    </section>
  )
}

function LastOrder({ order, onAgain }: { order: NonNullable<SalesCustomer['lastOrder']>; onAgain(): void }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  return (
    <div className="appear flex flex-wrap items-center gap-x-4 gap-y-2.5 rounded-m bg-gulf-soft px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-label text-ink-2">
          {t('sale.lastOrder', { day: formatDay(bahrainDate(new Date(order.createdAt)), lang, 'medium') })} ·{' '}
          <Money bhd={order.total} />
        </p>
        <ul className="mt-1 flex flex-wrap items-end gap-x-4 gap-y-1">
          {order.items.map((item) => (
            <li key={item.id} className="flex min-w-0 items-end gap-1.5">
              <Bottle shape={silhouetteOf(item.size)} tint={order.vendorTint} height={30} className="flex-none" />
              <span className="min-w-0 truncate leading-relaxed">
                <Units of={item} count={item.quantity} className="text-ink-2" /> · <bdi>{nameIn(item)}</bdi>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <Button id={againId} tone="gulf" icon={AgainIcon} onClick={onAgain}>
        {t('sale.again')}
      </Button>
    </div>
  )
}
