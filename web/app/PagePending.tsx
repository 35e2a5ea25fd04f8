import type { ReactNode } from 'react'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useT } from './i18n.tsx'

/** The shape most pages have, while chunk and data are on their way. */
export function PagePending(): ReactNode {
  const t = useT()
  return (
    <main id="main" className="wrap grid content-start gap-4 py-6" aria-busy="true" aria-label={t('shell.loading')}>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-30" />
      <Skeleton className="h-30" />
      <Skeleton className="h-30" />
    </main>
  )
}
