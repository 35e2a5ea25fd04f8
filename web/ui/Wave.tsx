import type { ReactNode } from 'react'
import { Bottle } from './Bottle.tsx'
import { classes } from './class-names.ts'

const back = 'M0 20C60 6 120 6 180 18S300 32 360 20 480 4 540 16 660 34 720 20V46H0Z'
const front = 'M0 30C60 18 120 20 180 29S300 40 360 31 480 18 540 27 660 42 720 31V46H0Z'

/** Wave at the bottom of a panel. `deep` ends it in Gulf blue, on a white page. */
export function Wave({ height, deep }: { height: number; deep?: boolean }) {
  return (
    <svg
      className="absolute inset-x-0 bottom-0 block w-full"
      height={height}
      viewBox="0 0 720 46"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={back} fill="var(--wave-1)" opacity=".92" />
      <path d={front} fill={deep ? 'var(--gulf-deep)' : 'var(--wave-2)'} />
    </svg>
  )
}

/** The promise panel: text on Gulf blue, beside two bottles in the wave. */
export function WavePanel({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <section className={classes('deep relative overflow-hidden rounded-l px-4 pt-2 pb-3 md:px-6', className)}>
      <div className="relative z-2 pe-20 md:pe-24">{children}</div>
      <div aria-hidden="true" className="absolute end-2 -bottom-1 flex items-end opacity-72 md:end-5">
        <Bottle shape="b-5g" height={80} className="-me-2" />
        <Bottle shape="b-500" height={52} />
      </div>
      <Wave height={20} />
    </section>
  )
}
