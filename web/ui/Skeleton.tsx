import { classes } from './class-names.ts'

/** A grey shape of the size of what will stand there; seen after 150 ms only. `quiet` for large areas. */
export function Skeleton({ className, quiet }: { className?: string; quiet?: boolean }) {
  // Which of two radii wins, the style sheet's order would say.
  const corner = className?.includes('rounded-') ? undefined : 'rounded-s'
  return (
    <span aria-hidden="true" className={classes('late block', corner, quiet ? 'bg-well' : 'bg-well-2', className)} />
  )
}
