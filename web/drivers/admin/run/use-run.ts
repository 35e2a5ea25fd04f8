import { arrangeRun, type Run, type RunStop } from '@qatra/contract/drivers'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSelector } from '@tanstack/react-store'
import { useEffect, useMemo, useState } from 'react'
import { beforeSignOut } from '../../../app/session/session.ts'
import { CallError, call } from '../../../lib/api-client.ts'
import { useConnection } from '../../../lib/connection.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { serviceWorkers } from '../../../lib/site-data.ts'
import { useWarnBeforeLeaving } from '../../../lib/warn-before-leaving.ts'
import { toast } from '../../../ui/Toast.tsx'
import { addBhd, applyActions, type RunAction, type Taken } from './run-actions.ts'
import { RUN_PAGE } from './run-page.ts'
import { clearSavedRun, outboxOf, runQuery, savedRun, saveRun, UNDO_MS } from './run-store.ts'
import type { CountedDelivery, VanReport } from './run-van.ts'

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
function useOfflinePage(): boolean {
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

const ASK_AGAIN_MS = 60_000

/** The driver's run with unsent actions applied, and its commands. */
export function useRun(date: string | undefined) {
  const t = useT()
  const queries = useQueryClient()
  const userId = useUser()?.id ?? 0
  const { isOnline } = useConnection()
  const outbox = outboxOf(userId, queries)
  const { entries: actions, isStuck, isSignedOut, isSending } = useSelector(outbox.state)
  const query = useQuery({
    ...runQuery(userId, date),
    refetchInterval: ASK_AGAIN_MS,
    networkMode: 'always',
    retry: false,
  })
  // Signed out or without permission: delete the saved run.
  const isRefused = query.error instanceof CallError && [401, 403].includes(query.error.status)
  const known = query.data ?? savedRun(userId, date) ?? undefined
  const [wantedOrder, setWantedOrder] = useState<readonly string[] | null>(null)
  const run = useMemo(() => known && inOrder(applyActions(known, actions), wantedOrder), [known, actions, wantedOrder])

  useEffect(() => {
    if (isRefused) clearSavedRun()
    else if (query.data) saveRun(userId, query.data)
  }, [query.data, userId, isRefused])
  useEffect(() => {
    if (isOnline) void outbox.flush()
  }, [outbox, isOnline])
  useEffect(() => {
    const onOther = () => outbox.reread()
    const onSight = () => void outbox.flush({ isHurry: document.visibilityState === 'hidden' })
    addEventListener('storage', onOther)
    document.addEventListener('visibilitychange', onSight)
    const stopSettling = beforeSignOut(() => outbox.flush({ isHurry: true }))
    return () => {
      stopSettling()
      removeEventListener('storage', onOther)
      document.removeEventListener('visibilitychange', onSight)
    }
  }, [outbox])
  const waiting = actions.filter(({ problem }) => !problem)
  const isCutOff = !isOnline || (isStuck && !isSignedOut) || (query.isError && query.error.status === 0)
  const isSavedOffline = useOfflinePage()
  useWarnBeforeLeaving(isCutOff && !isSavedOffline)
  // A new order made offline is sent once online; the last one wins.
  const canSend = isOnline && wantedOrder !== null
  useEffect(() => {
    if (!canSend || wantedOrder === null) return
    let isOld = false
    const body = { orderIds: [...wantedOrder], ...(date ? { date } : {}) }
    call(arrangeRun, { params: { id: String(userId) }, body })
      .then((answer) => {
        if (isOld) return
        queries.setQueryData(runQuery(userId, date).queryKey, answer)
        setWantedOrder(null)
      })
      .catch((error: unknown) => {
        // Kept after a network failure; if the server refuses it, the server's order wins.
        if (isOld || (error instanceof CallError && error.status === 0)) return
        setWantedOrder(null)
        void query.refetch()
      })
    return () => {
      isOld = true
    }
  }, [wantedOrder, canSend]) // oxlint-disable-line react/exhaustive-deps -- sent when it changes and when the network comes back

  function add(entry: RunAction, title: string) {
    outbox.add(entry)
    const undo = () => {
      if (!outbox.undo(entry.key)) toast({ title: t('run.undoneLate') })
    }
    const action = { label: t('run.undo'), onClick: undo }
    toast({ title, action, duration: UNDO_MS - 200 })
  }
  const newEntry = (stop?: RunStop) => ({
    key: crypto.randomUUID(),
    ...(stop?.visit && { visitId: stop.visit.id }),
    at: new Date().toISOString(),
    sendAfter: Date.now() + UNDO_MS,
  })
  return {
    run,
    query,
    isCutOff,
    isSavedOffline,
    isSignedOut,
    isSending,
    actions,
    waiting,
    outbox,
    /** @param taken null if nothing was due */
    deliver(stop: RunStop, taken: readonly Taken[] | null, counted?: CountedDelivery) {
      const amount = taken && taken.reduce((sum, part) => addBhd(sum, part.amount), 0)
      const payments = taken?.filter((part) => part.amount !== 0).map((part) => ({ ...part, key: crypto.randomUUID() }))
      add(
        { ...newEntry(stop), orderId: stop.id, kind: 'deliver', amount, ...(payments && { payments }), ...counted },
        t(stop.visit ? 'run.visitSaved' : 'run.saved', { name: stop.customerName }),
      )
    },
    reportVan: (report: Omit<VanReport, 'kind'>) =>
      add({ ...newEntry(), kind: 'van', ...report }, t(`run.vanSaved.${report.did}`)),
    attempt: (stop: RunStop, about: { reason: Extract<RunAction, { kind: 'attempt' }>['reason']; notes: string }) =>
      add(
        { ...newEntry(stop), orderId: stop.id, kind: 'attempt', ...about },
        t('run.attemptSaved', { name: stop.customerName }),
      ),
    arrange: setWantedOrder,
  }
}
export type RunState = ReturnType<typeof useRun>

function inOrder(run: Run, ids: readonly string[] | null): Run {
  if (!ids) return run
  const place = new Map(ids.map((id, i) => [id, i]))
  const stops = [...run.stops].sort((a, b) => (place.get(a.id) ?? Infinity) - (place.get(b.id) ?? Infinity))
  return { ...run, stops: stops.map((stop, i) => ({ ...stop, number: i + 1 })) }
}
