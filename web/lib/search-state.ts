import { isDay, isInstant } from '@qatra/contract/calendar/calendar'
import { useMatch, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'

/** One key of the query: how it is parsed and written. Empty and default values are omitted. */
export interface Param<T> {
  read(texts: readonly string[]): T
  write(value: T): readonly string[]
}

export type Shape = Record<string, { read(texts: readonly string[]): unknown; write(value: never): readonly string[] }>
export type StateOf<S> = {
  [K in keyof S]: NonNullable<S[K]> extends { read(texts: readonly string[]): infer T } ? T : never
}
type Raw = Record<string, unknown>

const one = <T>(read: (text: string) => T | undefined, write: (value: T) => string = String): Param<T | undefined> => ({
  read: ([text]) => (text === undefined ? undefined : read(text)),
  write: (value) => (value === undefined ? [] : [write(value)]),
})

export function oneOf<const T extends string>(values: readonly T[]): Param<T | undefined> {
  return one((text) => values.find((value) => value === text))
}

/** Several values; the key is repeated in the address. */
export function manyOf<const T extends string>(values: readonly T[]): Param<readonly T[]> {
  return { read: (texts) => values.filter((value) => texts.includes(value)), write: (chosen) => chosen }
}

const idOf = (text: string) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined)
/** A row id. */
export const idIn = one(idOf)
export const manyIds: Param<readonly number[]> = {
  read: (texts) => [...new Set(texts.map(idOf))].filter((id) => id !== undefined),
  write: (ids) => ids.map(String),
}

/** Free text up to a length; '' if missing. */
export function textIn(longest: number): Param<string> {
  return {
    read: ([text = '']) => text.trim().slice(0, longest),
    write: (text) => (text.trim() === '' ? [] : [text.trim()]),
  }
}

/** A calendar date, YYYY-MM-DD, in the range of the endpoints. */
export const dayIn = one((text) => (isDay(text) ? text : undefined))

/** An instant as the server writes it. */
export const instantIn = one((text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && isInstant(text) ? text : undefined,
)

export const flagIn: Param<boolean> = { read: ([text]) => text === '1', write: (on) => (on ? ['1'] : []) }

/** From 1. */
export const pageNumber: Param<number> = {
  read: ([text = '']) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1),
  write: (page) => (page > 1 ? [String(page)] : []),
}

/** `total` ascends, `-total` descends. */
export function sortBy<const T extends string>(keys: readonly T[], usual: T | `-${T}`): Param<T | `-${T}`> {
  const all = keys.flatMap((key) => [key, `-${key}`] as const)
  return {
    read: ([text]) => all.find((sort) => sort === text) ?? usual,
    write: (sort) => (sort === usual ? [] : [sort]),
  }
}

/** The state in an address: for `load` from its search, for components by `useSearchState`. */
export function readSearch<S extends Shape>(shape: S, search: Raw): StateOf<S> {
  const entries = Object.entries(shape).map(([key, param]) => {
    const texts = [search[key] ?? []].flat().map(String)
    return [key, (param as Param<unknown>).read(texts)] // each key has the type of its own param
  })
  return Object.fromEntries(entries) as StateOf<S>
}

/** The keys of a change as written to the address; undefined removes a key. */
export function writeSearch<S extends Shape>(shape: S, change: Partial<StateOf<S>>): Raw {
  const entries = Object.entries(change).map(([key, value]) => {
    const texts = (value === undefined ? null : (shape[key] as Param<unknown> | undefined)?.write(value)) ?? []
    return [key, texts.length > 1 ? texts : texts[0]]
  })
  return Object.fromEntries(entries)
}

interface Change {
  /** Replaces the current history entry, for example while typing. */
  replace?: boolean
}

/**
 * State in the address. A change keeps the other keys and the scroll position, and resets the page unless it sets one.
 * A page that is being left changes nothing: the address is already that of the next page.
 */
export function useSearchState<S extends Shape>(shape: S) {
  const search = useRouterState({ select: ({ location }) => location.search as Raw })
  const router = useRouter()
  const pathname = useMatch({ strict: false, select: (match) => match.pathname })
  const navigate = useNavigate()
  const state = useMemo(() => readSearch(shape, search), [shape, search])
  const set = (change: Partial<StateOf<S>>, { replace = false }: Change = {}) => {
    if (!router.latestLocation.pathname.startsWith(pathname)) return
    void navigate({
      to: '.',
      search: (before: Raw) => ({ ...before, page: undefined, ...writeSearch(shape, change) }),
      replace,
      resetScroll: false,
    } as never) // the shape defines the keys, whichever page it is
  }
  return [state, set] as const
}
