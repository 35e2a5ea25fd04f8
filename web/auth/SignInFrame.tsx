import type { Silhouette } from '@qatra/contract/products/sizes'
import type { ReactNode } from 'react'
import { Bottle } from '../ui/Bottle.tsx'
import { Wave } from '../ui/Wave.tsx'

/** Layout of the sign-in pages: one column over the background. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <main id="main" className="meets-footer flex flex-1 flex-col">
      <div className="mx-auto grid w-full max-w-110 content-start gap-5.5 px-5 pt-5 pb-10 md:pt-14">{children}</div>
      <SeaFoot shapes={['b-330', 'b-5g', 'b-1500']} />
    </main>
  )
}

/** Bottles in a wave at the bottom of a short page of sign-in. */
function SeaFoot({ shapes }: { shapes: readonly Silhouette[] }) {
  return (
    <div aria-hidden="true" className="relative mt-auto h-47.5 w-full overflow-hidden">
      <div className="absolute inset-x-2.5 bottom-1.5 mx-auto flex max-w-110 justify-between opacity-90">
        {shapes.map((shape, at) => (
          <Bottle key={`${shape} ${at}`} shape={shape} height={146} />
        ))}
      </div>
      <Wave height={64} deep />
    </div>
  )
}

interface SignInHeadProps {
  title: ReactNode
  children?: ReactNode
}

export function SignInHead({ title, children }: SignInHeadProps) {
  return (
    <div>
      <h1 className="mb-0.5 text-display">{title}</h1>
      {children && <div className="text-ink-2">{children}</div>}
    </div>
  )
}
