import { useEffect, useState } from 'react'
import { RUN_PAGE } from './run-cache.ts'

/** By then the page has fetched what it fetches by itself, its map too. */
const AT_REST_MS = 4_000

const loaded = () => performance.getEntriesByType('resource').map(({ name }) => name)

/** Sources that are worked on change under their names, and some browsers have no such workers. */
const isPossible = () => import.meta.env.PROD && 'serviceWorker' in navigator

async function keepPage(): Promise<boolean> {
  await navigator.serviceWorker.register('/run-worker.js', { scope: RUN_PAGE })
  const { active } = await navigator.serviceWorker.ready
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => done(data === true)
    active?.postMessage(loaded(), [port2])
  })
}

/** Lets the page come back in a dead spot; true once it would. */
export function useKeptPage(): boolean {
  // Where a worker answers for the page already, it was kept before.
  const [isKept, setKept] = useState(() => isPossible() && navigator.serviceWorker.controller !== null)
  useEffect(() => {
    if (!isPossible()) return
    const timer = setTimeout(() => {
      keepPage().then(setKept, (error: unknown) => console.warn('The page is not kept for dead spots', error))
    }, AT_REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isKept
}
