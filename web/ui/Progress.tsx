import { classes } from './class-names.ts'

const percent = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 10

interface ProgressProps {
  /** 0 to 1 */
  value: number
  /** Accessible name; required unless a text beside the bar names it. */
  label?: string
  /** `hairline` is 4 px at the top of the mini cart. */
  variant?: 'bar' | 'hairline'
  className?: string
}

/** Progress bar that fills from the start: from the right in Arabic. */
export function Progress({ value, label, variant = 'bar', className }: ProgressProps) {
  const done = percent(value)
  return (
    <svg
      role={label ? 'progressbar' : undefined}
      aria-hidden={label ? undefined : true}
      aria-label={label}
      aria-valuenow={label ? Math.round(done) : undefined}
      aria-valuemin={label ? 0 : undefined}
      aria-valuemax={label ? 100 : undefined}
      className={classes(
        'flip block w-full',
        variant === 'bar' ? 'h-2 rounded-full bg-well-2' : 'h-1 bg-deep-track',
        className,
      )}
    >
      <rect
        width={`${done}%`}
        height="100%"
        rx={variant === 'bar' ? 4 : 0}
        className="fill-aqua transition-[width] duration-200"
      />
    </svg>
  )
}

const radius = 20
const around = 2 * Math.PI * radius

/** Remaining time as a ring that empties; never mirrored, since clocks are not. */
export function CountdownRing({ left }: { left: number }) {
  const rest = (percent(left) / 100) * around
  return (
    <svg width="48" height="48" viewBox="0 0 48 48" aria-hidden="true" className="shrink-0" fill="none" strokeWidth="5">
      <circle cx="24" cy="24" r={radius} stroke="var(--well-2)" />
      <circle
        cx="24"
        cy="24"
        r={radius}
        stroke="var(--gulf)"
        strokeLinecap="round"
        strokeDasharray={`${rest} ${around}`}
        transform="rotate(-90 24 24)"
      />
    </svg>
  )
}
