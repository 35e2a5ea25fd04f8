import type { RunStop } from '@qatra/contract/drivers'
import { fils, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { mostReturned, type RefundChoice, refundChoices } from '@qatra/contract/orders/bottles'
import { type RefundLimit, refundLeft } from '@qatra/contract/orders/payments'
import { useId, useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import type { useDelivery } from '../../../orders/DeliveredItems.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Stepper } from '../../../ui/Stepper.tsx'

type Delivery = Pick<ReturnType<typeof useDelivery>, 'bottles' | 'handedOver' | 'setBottles' | 'deposit'>
interface EmptiesProps {
  stop: Pick<RunStop, 'bottles'>
  delivery: Delivery
  /** What is done with the deposits, where that can be chosen. */
  refund?: RefundChoice | undefined
}

/** The empty bottles that came back, as expected until another number is counted, and what follows for the customer. */
export function Empties({ stop, delivery, refund }: EmptiesProps) {
  if (stop.bottles.length === 0) return null
  return (
    <div className="border-t border-line pb-1">
      {stop.bottles.map((type) => (
        <Type key={type.typeId} type={type} hasName={stop.bottles.length > 1} delivery={delivery} refund={refund} />
      ))}
      <Deposit delivery={delivery} />
    </div>
  )
}

interface TypeProps {
  type: RunStop['bottles'][number]
  hasName: boolean
  delivery: Delivery
  refund: RefundChoice | undefined
}

function Type({ type, hasName, delivery, refund }: TypeProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { typeId, held, deposit } = type
  const sum = delivery.bottles.find((one) => one.typeId === typeId)
  const { delivered = 0, returned = 0, expected = 0, charged = 0 } = sum ?? {}
  const { broken = 0, foreign = 0 } = delivery.handedOver.bottles?.get(typeId) ?? {}
  const [isOpen, setOpen] = useState(broken + foreign > 0)
  const name = hasName ? `${t('run.empties')} · ${nameIn(type)}` : t('run.empties')
  const left = held + delivered - returned
  // What the order does not charge for the bottles that the customer has more, or pays back.
  const credit = charged - (delivered - returned) * fromBhd(deposit)
  const stepper = 'w-full [--tap:56px]'
  return (
    <section aria-label={name} className="py-3">
      <h3 className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-body font-strong">{name}</span>
        <span className="text-label font-regular text-ink-2">{t('run.emptiesExpected', { expected, held })}</span>
      </h3>
      <Stepper
        name={name}
        quantity={returned}
        max={mostReturned}
        hasBin={false}
        isCount
        isQuiet
        onChange={(count) => delivery.setBottles(typeId, { returned: count })}
        className={stepper}
      />
      {isOpen ? (
        <div className="mt-3 grid grid-cols-2 gap-2">
          {(['broken', 'foreign'] as const).map((kind) => (
            <div key={kind}>
              <span className="mb-1 block text-label">{t(`run.${kind}`)}</span>
              <Stepper
                name={t(`run.${kind}`)}
                quantity={{ broken, foreign }[kind]}
                max={mostReturned}
                hasBin={false}
                isCount
                isQuiet
                onChange={(count) => delivery.setBottles(typeId, { [kind]: count })}
                className={stepper}
              />
            </div>
          ))}
          <p className="col-span-2 text-label text-ink-2">{t('run.uselessHint')}</p>
        </div>
      ) : (
        <Button tone="link" icon={WarningIcon} className="min-h-tap px-0!" onClick={() => setOpen(true)}>
          {t('run.useless')}
        </Button>
      )}
      <p role="status" className="mt-2 rounded-m bg-gulf-soft px-3.5 py-2.5 text-ink">
        {left < 0 ? t('run.bottlesOver', { count: -left }) : t('run.bottlesLeft', { count: left })}
        {credit !== 0 && (credit < 0 || refund !== 'now') && (
          <span className="block font-strong">
            {t(credit > 0 ? 'run.bottlesCredit' : 'run.bottlesDebit', {
              amount: formatMoney(fils(Math.abs(credit)), lang),
            })}
          </span>
        )}
      </p>
    </section>
  )
}

interface RefundPickerProps {
  /** BHD for all empties beyond the expected. */
  amount: number
  chosen: RefundChoice
  /** Of the driver, if it is more than may be paid back today. */
  beyond: RefundLimit | null
  onChoose(choice: RefundChoice): void
}

/** Radio inputs, so that the arrow keys choose; nothing while there is nothing to give back. */
export function RefundPicker({ amount, chosen, beyond, onChoose }: RefundPickerProps) {
  const { t, lang } = useLanguage()
  const name = useId()
  if (amount <= 0) return null
  return (
    <fieldset className="mb-3 min-w-0 border-t border-line pt-3">
      <legend className="sr-only">{t('run.refund')}</legend>
      <p className="mb-2 flex items-baseline justify-between gap-3 font-strong" aria-hidden="true">
        {t('run.refund')} <Money bhd={amount} />
      </p>
      <div className="grid grid-cols-2 gap-2">
        {refundChoices.map((choice) =>
          beyond && choice === 'now' ? null : (
            <label
              key={choice}
              className={buttonClass(
                choice === chosen ? 'gulf' : 'quiet',
                'normal',
                'relative min-h-13 cursor-pointer px-2! has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              )}
            >
              <input
                type="radio"
                name={name}
                className="absolute inset-0 cursor-pointer appearance-none opacity-0"
                checked={choice === chosen}
                onChange={() => onChoose(choice)}
              />
              {t(`run.refund.${choice}`, { amount: formatMoney(fromBhd(amount), lang) })}
            </label>
          ),
        )}
      </div>
      <BeyondLimit limit={beyond} />
    </fieldset>
  )
}

/** Why deposits are not paid back now. */
export function BeyondLimit({ limit: of }: { limit: RefundLimit | null }) {
  const { t, lang } = useLanguage()
  const left = refundLeft(of)
  if (!of || left === null) return null
  return (
    <p role="status" className="mt-2 text-label text-clay">
      {t('run.refundLimit', { left: formatMoney(left, lang), limit: formatMoney(fils(of.limit), lang) })}
    </p>
  )
}

/** What is charged for bottles without an empty one. */
function Deposit({ delivery: { deposit, bottles } }: { delivery: Delivery }) {
  const { t } = useLanguage()
  const charged = bottles.filter(({ charged: amount }) => amount > 0)
  const sum = (key: 'delivered' | 'returned') => charged.reduce((all, one) => all + one[key], 0)
  if (deposit === 0) return null
  return (
    <p className="flex items-baseline justify-between gap-3 py-2">
      <span>
        {t('run.deposit')}
        <span className="block text-label text-ink-2">
          {t('run.depositWhy', { delivered: sum('delivered'), returned: sum('returned') })}
        </span>
      </span>
      <Money bhd={deposit} />
    </p>
  )
}
