import { parseQuantity, quantityLimit } from '@qatra/contract/cart/rules'
import { type KeyboardEvent, useId, useState } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { classes } from './class-names.ts'
import { BinIcon, MinusIcon, PlusIcon } from './icons.tsx'
import { toast } from './Toast.tsx'

export interface StepperProps {
  /** Name of the counted item for screen readers. */
  name: string
  quantity: number
  max?: number
  /** Why it cannot be more than `max`. */
  maxReason?: string | undefined
  /** Called with each new number at once; 0 removes the item. */
  onChange(quantity: number): void
  /** Whether 1 has a bin, since 0 removes the item from the cart. */
  hasBin?: boolean
  /** A plain count: 0 is a value like others and removes nothing. */
  isCount?: boolean
  /** Adding is possible but not the way to go. */
  isQuiet?: boolean | undefined
  className?: string
}

const number = 'min-w-6 flex-1 text-center text-[1.0625rem]'

/** Quantity control of constant size: `− 0 [Add +]`, then `− n [+]`, with a bin instead of the minus at 1. */
export function Stepper({
  name,
  quantity,
  max = quantityLimit,
  maxReason,
  onChange,
  hasBin = true,
  isCount = false,
  isQuiet,
  className,
}: StepperProps) {
  const t = useT()
  const id = useId()
  const isFull = quantity >= max
  const full = maxReason ?? t('ui.quantityMax', { max })
  const less = () => {
    if (quantity > 0) onChange(quantity - 1)
  }
  const more = () => {
    if (isFull) toast({ title: full, tone: 'error' })
    else onChange(quantity + 1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    if (event.key === 'ArrowUp') more()
    else less()
  }
  const isLast = hasBin && quantity === 1
  const LessSign = isLast ? BinIcon : MinusIcon
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its own layout.
    <div
      role="group"
      aria-label={t('ui.quantityOf', { name })}
      onKeyDown={onKeyDown}
      className={classes('flex h-tap items-center rounded-m bg-well', className)}
    >
      <button
        type="button"
        aria-label={t(isLast ? 'ui.remove' : 'ui.decrease')}
        aria-disabled={quantity === 0 || undefined}
        onClick={less}
        className={classes(
          'grid size-tap shrink-0 place-items-center rounded-m',
          quantity ? 'text-gulf' : 'text-ink-off',
        )}
      >
        <LessSign size={18} aria-hidden="true" />
      </button>
      <output className="sr-only">{quantity}</output>
      {quantity === 0 ? (
        <span aria-hidden="true" className={`${number} text-ink-3`}>
          0
        </span>
      ) : (
        <TypedQuantity quantity={quantity} max={max} onChange={onChange} />
      )}
      <button
        type="button"
        aria-label={quantity === 0 ? t('ui.addOf', { name }) : t('ui.increase')}
        aria-disabled={isFull || undefined}
        aria-describedby={isFull ? id : undefined}
        onClick={more}
        className={classes(
          'flex h-tap shrink-0 items-center justify-center gap-1.5 rounded-m font-strong',
          isFull ? 'text-ink-off' : isQuiet ? 'bg-well-2' : 'bg-aqua text-on-aqua hover:bg-aqua-press',
          quantity === 0 && !isCount ? 'px-3.5' : 'w-tap',
        )}
      >
        {quantity === 0 && !isCount && <span aria-hidden="true">{t('ui.add')}</span>}
        <PlusIcon size={18} aria-hidden="true" />
      </button>
      {isFull && (
        <span id={id} className="sr-only">
          {full}
        </span>
      )}
    </div>
  )
}

/** The number can be typed, in any digit script; an invalid one leaves the quantity as it is. */
function TypedQuantity({ quantity, max, onChange }: Pick<StepperProps, 'quantity' | 'onChange'> & { max: number }) {
  const t = useT()
  const [draft, setDraft] = useState<string | null>(null)
  function commit() {
    if (draft === null) return
    setDraft(null)
    const typed = parseQuantity(draft, max)
    if (typed !== null) onChange(typed)
    else if (draft.trim() !== '') toast({ title: t('ui.quantityRange', { max }), tone: 'error' })
  }
  return (
    <input
      inputMode="numeric"
      enterKeyHint="done"
      autoComplete="off"
      maxLength={5}
      aria-label={t('ui.quantity')}
      value={draft ?? quantity}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault()
          event.currentTarget.blur()
        } else if (event.key === 'Escape' || event.key.startsWith('Arrow')) setDraft(null)
      }}
      className={`${number} h-tap w-full rounded-m bg-transparent font-strong underline decoration-dotted underline-offset-4`}
    />
  )
}
