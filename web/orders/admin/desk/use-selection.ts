import { type AdminOrder, listOrders } from '@qatra/contract/orders/admin'
import { MOST_AT_ONCE } from '@qatra/contract/orders/filters'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { toast } from '../../../ui/Toast.tsx'
import { asCallError } from '../problems.ts'
import type { UndoQueue } from '../use-undo-queue.ts'
import { listQueryOf } from './desk-search.ts'
import type { Desk } from './use-desk.ts'

/** Whether any action is open, so that the order can be selected. */
export const isSelectable = ({ can }: AdminOrder) => can.assign || can.changeStatus.length > 0

const nobody: ReadonlySet<string> = new Set()

/**
 * The selected orders. Those of other pages are rows of the list's own query with a larger page. Rows that left the list
 * or were closed are deselected; others stay selected after an action.
 */
export function useSelection({ state, list }: Pick<Desk, 'state' | 'list'>, undoQueue: UndoQueue) {
  const t = useT()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState(nobody)
  /** The query whose rows were selected as a whole. */
  const [whole, setWhole] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const query = read(listOrders, { query: { ...listQueryOf(state), page: 1, limit: MOST_AT_ONCE } })
  const key = JSON.stringify(query.queryKey)
  const { data: all } = useQuery({ ...query, enabled: whole === key })
  const { data, isPlaceholderData } = list
  const rows = data && undoQueue.shown(data.items)
  const others = whole === key && all ? undoQueue.shown(all.items) : undefined
  const marked = useMemo(() => {
    const known = new Map([...(others ?? []), ...(rows ?? [])].map((row) => [row.id, row]))
    return [...known.values()].filter((row) => chosen.has(row.id) && isSelectable(row))
  }, [rows, others, chosen])
  const selected = useMemo(() => new Set(marked.map(({ id }) => id)), [marked])

  function select(ids: ReadonlySet<string>) {
    if (ids.size > MOST_AT_ONCE) {
      toast({ title: t('desk.select.most', { most: MOST_AT_ONCE }), tone: 'error' })
      return
    }
    setChosen(ids)
    if (ids.size === 0) setWhole(null)
  }

  /** Selects nothing if the list has another number of orders than the button says. */
  async function selectAll() {
    const shown = data?.total
    setBusy(true)
    try {
      const now = await queries.fetchQuery({ ...query, staleTime: 0 })
      if (now.total !== shown) {
        toast({ title: t('desk.select.changed', { count: now.total }), tone: 'error' })
        await queries.invalidateQueries({ queryKey: [listOrders.path] })
        return
      }
      setWhole(key)
      setChosen(new Set(now.items.filter(isSelectable).map(({ id }) => id)))
    } catch (error) {
      toast({ title: refusalText(t, asCallError(error), 'desk'), tone: 'error' })
    } finally {
      setBusy(false)
    }
  }

  const total = data?.total ?? 0
  const open = rows?.filter(isSelectable) ?? []
  const isPageSelected = open.length > 0 && open.every(({ id }) => selected.has(id))
  return {
    rows,
    marked,
    selected,
    select,
    /** Shown once the page is selected, if the list has more pages. */
    whole:
      isPageSelected && data !== undefined && !isPlaceholderData && total > data.items.length
        ? {
            total,
            isExact: data.totalIsExact,
            busy,
            /** Number of closed orders among those selected as a whole; null before. */
            closed: others ? others.length - others.filter(isSelectable).length : null,
            selectAll,
          }
        : null,
  }
}
export type WholeSelection = NonNullable<ReturnType<typeof useSelection>['whole']>
