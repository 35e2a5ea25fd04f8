import { useEffect, useState } from 'react'
import { serviceWorkers } from '../../app/site-data.ts'
import { RUN_PAGE } from './run-cache.ts'

/** By then the page has fetched what it fetches by itself, its map too. */
const AT_REST_MS = 4_000

const loaded = () => performance.getEntriesByType('resource').map(({ name }) => name)

/** Sources that are worked on change under their names, and some browsers have no such workers. */
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

/** Lets the page come back in a dead spot; true once it would. */
export function useOfflinePage(): boolean {
  // Where a worker answers for the page already, it was kept before.
  const [isKept, setKept] = useState(() => !!workers()?.controller)
  useEffect(() => {
    const here = workers()
    if (!here) return
    const timer = setTimeout(() => {
      cachePage(here).then(setKept, (error: unknown) => console.warn('The page is not kept for dead spots', error))
    }, AT_REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isKept
}
