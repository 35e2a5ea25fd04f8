import { classes } from './class-names.ts'

/** Grey placeholder in the size of the content, shown after 150 ms. `quiet` for large areas. */
export function Skeleton({ className, quiet }: { className?: string; quiet?: boolean }) {
  // With two radius classes the order of the style sheet would decide.
  const corner = className?.includes('rounded-') ? undefined : 'rounded-s'
  return (
    <span aria-hidden="true" className={classes('late block', corner, quiet ? 'bg-well' : 'bg-well-2', className)} />
  )
}
