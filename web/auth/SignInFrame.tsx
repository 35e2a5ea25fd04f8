import type { ReactNode } from 'react'
import { SeaFoot } from '../ui/SeaFoot.tsx'

/** Layout of the sign-in pages: one column over the background. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <main id="main" className="meets-footer flex flex-1 flex-col">
      <div className="mx-auto grid w-full max-w-110 content-start gap-5.5 px-5 pt-5 pb-10 md:pt-14">{children}</div>
      <SeaFoot shapes={['b-330', 'b-5g', 'b-1500']} />
    </main>
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
