import type { Silhouette } from '@qatra/contract/products/sizes'
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

interface WavePanelProps {
  /** The bottles: five on a phone, the last three on a wide screen beside the text. */
  shapes: readonly Silhouette[]
  /** 132 px high, with the two bottles at the end. */
  isShort?: boolean
  className?: string
  children: ReactNode
}

/** The promise panel: text on Gulf blue, above bottles in the wave. */
export function WavePanel({ shapes, isShort, className, children }: WavePanelProps) {
  return (
    <section
      className={classes(
        'deep relative overflow-hidden rounded-l',
        isShort ? 'min-h-33 px-4 py-3.5 pe-32' : 'min-h-53 px-5 pt-5 pb-24 md:min-h-43 md:px-8 md:pt-6.5 md:pb-6.5',
        className,
      )}
    >
      <div className="relative z-2">{children}</div>
      <div
        aria-hidden="true"
        className={classes(
          'absolute -bottom-1 flex opacity-72',
          isShort ? 'end-3 items-end' : 'inset-x-0 justify-between md:start-auto md:end-4 md:w-75',
        )}
      >
        {shapes.map((shape, at) => (
          <Bottle
            key={`${shape} ${at}`}
            shape={shape}
            height={isShort ? 104 - 40 * at : 100}
            className={isShort ? '' : classes('md:h-37.5 md:w-25', at < shapes.length - 3 && 'md:hidden')}
          />
        ))}
      </div>
      <Wave height={isShort ? 24 : 42} />
    </section>
  )
}
