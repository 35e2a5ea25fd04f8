import type { AdminOrder } from '@qatra/contract/orders/admin'
import { useSelector } from '@tanstack/react-store'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { beforeSignOut, onPersonChanged } from '../../app/session/session.ts'
import { addWaiting, isOnline, useConnection } from '../../lib/connection.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { createOutbox, memoryEntries, type OutboxEntry } from '../../lib/outbox.ts'
import { dismissToast, toast } from '../../ui/Toast.tsx'
import type { EditedOrder } from '../editing/EditItems.tsx'
import { isCutOff, type Problem, sayProblem } from './problems.ts'

/** Optimistic changes shown until the server answers. */
export type RowChanges = Partial<
  Pick<AdminOrder, 'status' | 'driver' | 'assignedDriverId' | 'promisedDate' | 'paymentStatus' | 'cashDue' | 'can'> &
    EditedOrder
>

interface Action {
  ids: readonly string[]
  /** Of all orders, or of each. */
  changes: RowChanges | ReadonlyMap<string, RowChanges>
  /** The new status, driver or day, as text. */
  what: string
  /** Reports a refusal itself. @throws CallError without a connection */
  send(about: { isLeaving: boolean }): Promise<void>
}

/** The undo window. */
export const UNDO_MS = 6_000
const leaving = { isLeaving: true }
let count = 0

/** Without a connection actions wait, also after the page was left, but not beyond the session of their person. */
function createQueue() {
  const outbox = createOutbox<Action & OutboxEntry>({
    entries: memoryEntries(),
    async send(action, about) {
      if (!isOnline()) return { kind: 'later' }
      try {
        await action.send(about)
      } catch (error) {
        if (isCutOff(error)) return { kind: 'later' }
        // A programming error is reported to the window, and does not block the next action.
        reportError(error)
      }
      return { kind: 'done' }
    },
  })
  /** Sends what waits before its person signs out, and drops what could not be sent. */
  function followSession() {
    const stops = [beforeSignOut(() => outbox.flush({ isHurry: true })), onPersonChanged(outbox.clear)]
    return () => {
      for (const stop of stops) stop()
    }
  }
  let known = 0
  let stopFollowing: (() => void) | null = null
  outbox.state.subscribe(({ entries }) => {
    addWaiting(entries.length - known)
    known = entries.length
    // Only while actions wait, so that the queue of a page that was left can be freed.
    if (known > 0) stopFollowing ??= followSession()
    else {
      stopFollowing?.()
      stopFollowing = null
    }
  })
  return outbox
}

/**
 * Queue of actions that can be undone, on the selected orders and on the open one. An action is shown at once and sent
 * after the undo window, or before the next one; an undone action is never sent, so no message goes out.
 */
export function useUndoQueue() {
  const t = useT()
  const [problem, setProblem] = useState<Problem | null>(null)
  const isLeft = useRef(false)
  const [outbox] = useState(createQueue)
  const entries = useSelector(outbox.state).entries
  const { isOnline: isConnected } = useConnection()
  useEffect(() => {
    if (isConnected) void outbox.flush({ isHurry: true })
  }, [outbox, isConnected])

  useEffect(() => {
    isLeft.current = false
    const leave = () => void outbox.flush(leaving)
    const hide = () => document.visibilityState === 'hidden' && leave()
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      isLeft.current = true
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [outbox])

  function begin(action: Action) {
    void outbox.flush({ isHurry: true })
    count += 1
    const key = String(count)
    outbox.add({ ...action, key, sendAfter: Date.now() + UNDO_MS })
    const undo = () => {
      toast({ title: t(outbox.undo(key) ? 'desk.bulk.undone' : 'desk.bulk.undoneLate') })
    }
    toast({
      title: t('desk.bulk.moved', { count: action.ids.length, what: action.what }),
      duration: UNDO_MS - 200,
      action: { label: t('desk.bulk.undo'), onClick: undo },
    })
  }

  const changesById = useMemo(() => {
    const byId = new Map<string, RowChanges>()
    for (const { ids, changes } of entries)
      for (const id of ids)
        byId.set(id, { ...byId.get(id), ...(changes instanceof Map ? changes.get(id) : (changes as RowChanges)) })
    return byId
  }, [entries])
  return {
    problem,
    begin,
    /** Shows a problem on this page, or in a toast if the page was left. */
    report(next: Problem) {
      if (isLeft.current) toast({ title: sayProblem(next, t), tone: 'error', duration: 8_000 })
      else setProblem(next)
    },
    /** Removes the problem of this order (null: of several orders). */
    dismiss: useCallback((id: string | null) => setProblem((before) => (before?.id === id ? null : before)), []),
    /** The rows with the optimistic changes of queued actions. */
    shown: <Row extends AdminOrder>(rows: readonly Row[]): readonly Row[] =>
      changesById.size === 0 ? rows : rows.map((row) => ({ ...row, ...changesById.get(row.id) })),
    /** Sends the queued action at once, before the next action or before an order is opened. */
    settle() {
      if (entries.length > 0) dismissToast()
      return outbox.flush({ isHurry: true })
    },
  }
}
export type UndoQueue = ReturnType<typeof useUndoQueue>
