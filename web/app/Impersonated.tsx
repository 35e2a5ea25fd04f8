import { type ComponentType, useEffect, useState } from 'react'
import { useUser } from './session.ts'

/** Banner on every page while impersonating. Its own chunk, because customers never need it. */
export function Impersonated() {
  const by = useUser()?.impersonatedBy ?? null
  const [Banner, setBanner] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (by === null) return
    void import('./ImpersonationBanner.tsx').then((module) => setBanner(() => module.ImpersonationBanner))
  }, [by])
  if (by === null) return null
  // The server reserves its height, so that the page does not shift.
  return <div className="deep no-print min-h-14">{Banner && <Banner />}</div>
}
