import type { ReactNode } from 'react'
import { PendingFrame } from '../app/layout/PagePending.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** Skeleton of a product page: picture, name, price, stepper, vendor. */
export function ProductPending(): ReactNode {
  return (
    <PendingFrame>
      <Skeleton className="h-6 w-40" />
      <div className="grid max-w-200 gap-5 sm:grid-cols-2 md:gap-8">
        <Skeleton className="aspect-square rounded-l" quiet />
        <div className="grid content-start gap-3">
          <Skeleton className="h-9 w-3/4" />
          <Skeleton className="h-5 w-24" />
          <Skeleton className="h-7 w-32" />
          <Skeleton className="mt-5 h-tap max-w-75 rounded-m" />
          <Skeleton className="mt-6 h-12 w-48" />
        </div>
      </div>
    </PendingFrame>
  )
}
