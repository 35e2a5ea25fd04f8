import { useEffect, useState } from 'react'
import { serviceWorkers } from '../../../lib/site-data.ts'
import { RUN_PAGE } from './run-page.ts'

/** By then the page and its map have loaded. */
const AT_REST_MS = 4_000

const loaded = () => performance.getEntriesByType('resource').map(({ name }) => name)

/** Not in development, where file names are not hashed; some browsers have no service workers. */
const workers = () => (import.meta.env.PROD ? serviceWorkers() : null)

async function cachePage(workers: ServiceWorkerContainer): Promise<boolean> {
  await workers.register('/run-worker.js', { scope: RUN_PAGE })
  const { active } = await workers.ready
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => done(data === true)
    active?.postMessage(loaded(), [port2])
  })
}

/** Caches the page for offline use; returns true once it is cached. */
export function useOfflinePage(): boolean {
  // A controlling worker means that the page is cached.
  const [isSaved, setSaved] = useState(() => !!workers()?.controller)
  useEffect(() => {
    const here = workers()
    if (!here) return
    const timer = setTimeout(() => {
      cachePage(here).then(setSaved, (error: unknown) => console.warn('The page is not kept for dead spots', error))
    }, AT_REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSaved
}
