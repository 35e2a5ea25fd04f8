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
