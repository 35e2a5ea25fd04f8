import { type ReactNode, useLayoutEffect } from 'react'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useT } from './i18n.tsx'

/**
 * Frame of what is shown while chunk and data of a page are on their way. It begins at the top: the router resets the
 * scroll position only once the page is there. As high as the screen, so that the footer is out of sight.
 */
export function PendingFrame({ children }: { children: ReactNode }) {
  const t = useT()
  // In braces: newer browsers answer a promise, which is no clean-up.
  useLayoutEffect(() => {
    window.scrollTo({ top: 0, behavior: 'instant' })
  }, [])
  return (
    <main
      id="main"
      className="wrap grid min-h-dvh content-start gap-4 py-6"
      aria-busy="true"
      aria-label={t('shell.loading')}
    >
      {children}
    </main>
  )
}

/** The shape most pages have. */
export function PagePending(): ReactNode {
  return (
    <PendingFrame>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-30" />
      <Skeleton className="h-30" />
      <Skeleton className="h-30" />
    </PendingFrame>
  )
}
