import type { ReactNode } from 'react'
import { classes } from '../class-names.ts'
import type { Icon } from '../icons.tsx'

const tones = {
  /** Under way or in force. */
  gulf: 'bg-gulf-soft text-gulf',
  /** Done with. */
  quiet: 'inset-ring inset-ring-line text-ink-2',
  problem: 'bg-clay-soft text-clay',
}

/** The state of anything but an order, whose four colours are its own. */
export function StateBadge({
  tone,
  icon: Sign,
  children,
}: {
  tone: keyof typeof tones
  icon: Icon
  children: ReactNode
}) {
  return (
    <span
      className={classes(
        'inline-flex h-6.5 items-center gap-1.25 rounded-s px-2.25 text-label leading-none whitespace-nowrap',
        tones[tone],
      )}
    >
      <Sign size={14} aria-hidden="true" />
      {children}
    </span>
  )
}
