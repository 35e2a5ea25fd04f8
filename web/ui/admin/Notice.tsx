import type { ReactNode } from 'react'
import { classes } from '../class-names.ts'
import type { Icon } from '../icons.tsx'

const tones = { problem: 'bg-clay-soft text-clay', quiet: 'bg-well' }

interface NoticeProps {
  tone: keyof typeof tones
  icon: Icon
  /** `alert` is read out at once. */
  role: 'alert' | 'status'
  className?: string
  children: ReactNode
}

/** What matters most about a page or panel, in a box above it. */
export function Notice({ tone, icon: Sign, role, className, children }: NoticeProps) {
  return (
    <p role={role} className={classes('flex gap-2 rounded-m px-3.5 py-2.5', tones[tone], className)}>
      <Sign size={18} aria-hidden="true" className={classes('mt-0.5 flex-none', tone === 'quiet' && 'text-ink-3')} />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
