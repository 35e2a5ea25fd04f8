import type { KeyboardEvent } from 'react'
import { useT } from '../app/i18n.tsx'
import { classes } from './class-names.ts'
import { BinIcon, MinusIcon, PlusIcon } from './icons.tsx'
import { toast } from './Toast.tsx'

interface StepperProps {
  /** Name of the counted item for screen readers. */
  name: string
  quantity: number
  max?: number
  /** Called with each new number at once; 0 removes the item. */
  onChange(quantity: number): void
  className?: string
}

/** Quantity control of constant size: `− 0 [Add +]`, then `− n [+]`, with a bin instead of the minus at 1. */
export function Stepper({ name, quantity, max = 100, onChange, className }: StepperProps) {
  const t = useT()
  const less = () => {
    if (quantity > 0) onChange(quantity - 1)
  }
  const more = () => {
    if (quantity < max) onChange(quantity + 1)
    else toast({ title: t('ui.quantityMax', { max }), tone: 'error' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    if (event.key === 'ArrowUp') more()
    else less()
  }
  const LessSign = quantity === 1 ? BinIcon : MinusIcon
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
        aria-label={t(quantity === 1 ? 'ui.remove' : 'ui.decrease')}
        aria-disabled={quantity === 0 || undefined}
        onClick={less}
        className={classes(
          'grid size-tap shrink-0 place-items-center rounded-m',
          quantity ? 'text-gulf' : 'text-ink-off',
        )}
      >
        <LessSign size={18} aria-hidden="true" />
      </button>
      <output
        className={classes('min-w-6 flex-1 text-center text-[1.0625rem]', quantity ? 'font-strong' : 'text-ink-3')}
      >
        {quantity}
      </output>
      <button
        type="button"
        aria-label={quantity === 0 ? t('ui.addOf', { name }) : t('ui.increase')}
        onClick={more}
        className={classes(
          'flex h-tap shrink-0 items-center justify-center gap-1.5 rounded-m bg-aqua font-strong text-on-aqua hover:bg-aqua-press',
          quantity === 0 ? 'px-3.5' : 'w-tap',
        )}
      >
        {quantity === 0 && <span aria-hidden="true">{t('ui.add')}</span>}
        <PlusIcon size={18} aria-hidden="true" />
      </button>
    </div>
  )
}
