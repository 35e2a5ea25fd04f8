import type { ReactNode } from 'react'
import { classes } from '../class-names.ts'
import type { Icon } from '../icons.tsx'

const tones = {
  /** Running or active. */
  gulf: 'bg-gulf-soft text-gulf',
  /** Finished. */
  quiet: 'inset-ring inset-ring-line text-ink-2',
  problem: 'bg-clay-soft text-clay',
}

/** State of anything but an order; the four colours of order states are reserved. */
export function StateBadge({
  tone,
  icon: StateIcon,
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
      <StateIcon size={14} aria-hidden="true" />
      {children}
    </span>
  )
}
