import { type ReactNode, useLayoutEffect } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/**
 * Frame of a page skeleton while chunk and data load. Scrolls to the top, since the router resets the scroll position
 * only when the page is rendered. As high as the screen, so that the footer stays out of view.
 */
export function PendingFrame({ children }: { children: ReactNode }) {
  const t = useT()
  // In braces: newer browsers return a promise, which is not a clean-up function.
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

/** Skeleton of most pages. */
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
