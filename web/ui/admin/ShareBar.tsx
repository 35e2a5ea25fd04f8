import { classes } from '../class-names.ts'

interface ShareBarProps {
  /** 0 to 1 each, in order; what they leave is the empty track. `fill` is a class. */
  parts: readonly { share: number; fill?: string }[]
  /** Of a bar that moves while something of unknown length goes on; else the figures are beside it. */
  label?: string
  className?: string
}

/**
 * A share of the largest value, or the parts of a whole, from the right in Arabic. Drawn, not a background: it is printed
 * and visible in forced colours.
 */
export function ShareBar({ parts, label, className }: ShareBarProps) {
  let end = 0
  return (
    <svg
      role={label && 'progressbar'}
      aria-label={label}
      aria-hidden={!label}
      className={classes('share-bar flip block h-1.5 w-full', className)}
    >
      <rect width="100%" height="100%" />
      {parts.map(({ share, fill = 'fill-gulf' }) => {
        const begin = end
        end += share
        return (
          share > 0 && (
            <rect key={begin} x={`${begin * 100}%`} width={`${share * 100}%`} height="100%" className={fill} />
          )
        )
      })}
    </svg>
  )
}
