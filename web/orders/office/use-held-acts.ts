import type { OfficeOrder } from '@qatra/contract/orders-office'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { beforeSignOut, onPersonChanged } from '../../app/session.ts'
import { dismissToast, toast } from '../../ui/Toast.tsx'
import { createHold, UNDO_MS } from './held-act.ts'
import { type Problem, sayProblem } from './problems.ts'

/** What the rows show meanwhile. */
export type Look = Partial<Pick<OfficeOrder, 'status' | 'driver' | 'assignedDriverId' | 'paymentStatus' | 'can'>>

interface HeldAct {
  ids: readonly string[]
  look: Look
  /** What the orders become, in words. */
  what: string
  send(about: { isLeaving: boolean }): Promise<void>
}

const leaving = { isLeaving: true }

/**
 * The acts of one page that can be undone: on the selected orders, and on the open one. They are shown at once and sent
 * a few seconds later, one after the other, so that undoing them tells nobody anything.
 */
export function useHeldActs() {
  const t = useT()
  const [held, setHeld] = useState<readonly HeldAct[]>([])
  const [problem, setProblem] = useState<Problem | null>(null)
  const isLeft = useRef(false)
  const [hold] = useState(() =>
    createHold<HeldAct>({
      send: (act, about) => act.send(about),
      wait: (callback, ms) => {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
      onChange: setHeld,
    }),
  )

  useEffect(() => {
    isLeft.current = false
    const leave = () => void hold.flush(leaving)
    const hide = () => document.visibilityState === 'hidden' && leave()
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    const stopSettling = beforeSignOut(() => hold.flush())
    const stopPerson = onPersonChanged(() => hold.forget())
    return () => {
      isLeft.current = true
      stopSettling()
      stopPerson()
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [hold])

  function begin(act: HeldAct) {
    hold.add(act)
    const undo = () => {
      toast({ title: t(hold.undo(act) ? 'desk.bulk.undone' : 'desk.bulk.undoneLate') })
    }
    toast({
      title: t('desk.bulk.moved', { count: act.ids.length, what: act.what }),
      duration: UNDO_MS - 200,
      action: { label: t('desk.bulk.undo'), onAct: undo },
    })
  }

  const looks = useMemo(() => new Map(held.flatMap(({ ids, look }) => ids.map((id) => [id, look]))), [held])
  return {
    problem,
    begin,
    /** Says what went wrong; where this page has been left, on the page that came after it. */
    report(next: Problem) {
      if (isLeft.current) toast({ title: sayProblem(next, t), tone: 'error', duration: 8_000 })
      else setProblem(next)
    },
    /** Takes back what was said about this order, or about several. */
    dismiss: useCallback((id: string | null) => setProblem((before) => (before?.id === id ? null : before)), []),
    /** The orders as they will be. */
    shown: <Row extends OfficeOrder>(rows: readonly Row[]): readonly Row[] =>
      looks.size === 0 ? rows : rows.map((row) => ({ ...row, ...looks.get(row.id) })),
    /** Sends what could still be undone, before anybody looks closer or does more. */
    settle() {
      if (held.length > 0) dismissToast()
      return hold.flush()
    },
  }
}
export type HeldActs = ReturnType<typeof useHeldActs>
