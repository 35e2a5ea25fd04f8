import { classes } from './class-names.ts'

/** A grey shape of the size of what will stand there; seen after 150 ms only. `quiet` for large areas. */
export function Skeleton({ className, quiet }: { className?: string; quiet?: boolean }) {
  return (
    <span aria-hidden="true" className={classes('late block rounded-s', quiet ? 'bg-well' : 'bg-well-2', className)} />
  )
}
