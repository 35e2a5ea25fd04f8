import { useUser } from '../../lib/current-user.ts'
import { useChunk } from '../../lib/use-chunk.ts'

const loadBanner = () => import('./ImpersonationBanner.tsx').then((module) => module.ImpersonationBanner)

/** Banner on every page while impersonating. Its own chunk, because customers never need it. */
export function Impersonated() {
  const by = useUser()?.impersonatedBy ?? null
  const Banner = useChunk(loadBanner, { need: by })
  if (by === null) return null
  // The server reserves its height, so that the page does not shift.
  return <div className="deep no-print min-h-14">{Banner && <Banner />}</div>
}
