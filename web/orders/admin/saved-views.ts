import { useState } from 'react'
import { readSearch } from '../../app/search-state.ts'
import { localStore } from '../../app/site-data.ts'
import { type DeskState, deskShape } from './desk-search.ts'

interface SavedView {
  name: string
  /** In the format of the search parameters. */
  search: Record<string, unknown>
}
const MOST = 30

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'object'

function readViews(key: string): SavedView[] {
  const stored = localStore.readJson(key)
  return Array.isArray(stored) ? stored.filter(isView) : []
}

/** Saved views of one person in this browser. `readSearch` drops values of older versions that it cannot read. */
export function useSavedViews(userId: number) {
  const key = `views.${userId}.orders`
  const [views, setViews] = useState(() => readViews(key))
  const change = (next: SavedView[]) => {
    setViews(next)
    localStore.setItem(key, JSON.stringify(next))
  }
  return {
    views: views.map(({ name, search }): { name: string; filters: Partial<DeskState> } => {
      const { page: _page, open: _open, ...filters } = readSearch(deskShape, search ?? {})
      return { name, filters }
    }),
    keep: (name: string, search: Record<string, unknown>) => change([...views, { name, search }].slice(-MOST)),
    remove: (name: string) => change(views.filter((view) => view.name !== name)),
  }
}
