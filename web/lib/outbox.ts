import { createAtom } from '@tanstack/react-store'
import type { Store } from './site-data.ts'

/** An action for the server. Every attempt sends the same key, so the server performs it once. */
export interface OutboxEntry<Problem = unknown> {
  key: string
  /** End of the undo window; not sent before. */
  sendAfter: number
  /** Why the server refused it. It is kept for display and not sent again until `retry`. */
  problem?: Problem
}

/** Result of sending one entry. */
export type Outcome<Problem> =
  | { kind: 'done' }
  /** No network or a server error: retried with increasing delays. */
  | { kind: 'later'; isSignedOut?: boolean }
  | { kind: 'refused'; problem: Problem }

/** Where the entries are kept. Read before each change, so that two tabs do not overwrite each other's entries. */
interface EntryStore<E> {
  read(): readonly E[]
  write(entries: readonly E[]): void
}

interface OutboxParts<E extends OutboxEntry> {
  entries: EntryStore<E>
  send(entry: E, about: { isLeaving: boolean }): Promise<Outcome<NonNullable<E['problem']>>>
  /** An entry was sent or refused. */
  onSettled?(): void
}

interface OutboxState<E> {
  entries: readonly E[]
  isSending: boolean
  isSignedOut: boolean
  /** The last attempt failed. */
  isStuck: boolean
}

interface FlushOptions {
  /** Ends the undo windows. */
  isHurry?: boolean
  /** The page is closing: ends the undo windows and does not wait for earlier answers. */
  isLeaving?: boolean
}

const FIRST_RETRY_MS = 4_000
const LAST_RETRY_MS = 60_000

/** Lasts as long as the page. */
export function memoryEntries<E>(): EntryStore<E> {
  let entries: readonly E[] = []
  return {
    read: () => entries,
    write: (next) => {
      entries = next
    },
  }
}

/** Survives reloads. Ignores invalid entries, such as those of an older version. */
export function storedEntries<E>(
  store: Pick<Store, 'getItem' | 'setItem' | 'removeItem'>,
  name: string,
  isEntry: (value: unknown) => value is E,
): EntryStore<E> {
  return {
    read() {
      try {
        const stored: unknown = JSON.parse(store.getItem(name) ?? '[]')
        return Array.isArray(stored) ? stored.filter(isEntry) : []
      } catch {
        return []
      }
    },
    write(entries) {
      if (entries.length === 0) store.removeItem(name)
      else store.setItem(name, JSON.stringify(entries))
    },
  }
}

/**
 * Keeps actions until the server has them: shown at once, undone within their undo window, then sent one at a time,
 * oldest first.
 */
export function createOutbox<E extends OutboxEntry>({ entries, send, onSettled }: OutboxParts<E>) {
  const state = createAtom<OutboxState<E>>({
    entries: entries.read(),
    isSending: false,
    isSignedOut: false,
    isStuck: false,
  })
  /** Keys of the entries whose undo window was ended. */
  const hurried = new Set<string>()
  const inFlight = new Map<string, Promise<unknown>>()
  let retryMs = FIRST_RETRY_MS
  let plannedFor = Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isStopped = false

  const set = (change: Partial<OutboxState<E>>) => state.set((before) => ({ ...before, ...change }))
  function change(edit: (all: readonly E[]) => readonly E[]) {
    const next = edit(entries.read())
    entries.write(next)
    set({ entries: next })
  }
  const drop = (key: string) => change((all) => all.filter((one) => one.key !== key))
  const setProblem = (key: string, problem: E['problem']) =>
    change((all) => all.map((one) => (one.key === key ? { ...one, problem } : one)))
  const ready = () =>
    (isStopped ? [] : entries.read())
      .filter(({ key, problem }) => !problem && !inFlight.has(key))
      .filter(({ key, sendAfter }) => hurried.has(key) || sendAfter <= Date.now())

  /** Flushes in `ms`, or earlier if that is already planned. */
  function plan(ms: number) {
    const at = Date.now() + Math.max(0, ms)
    if (isStopped || at >= plannedFor) return
    clearTimeout(timer)
    plannedFor = at
    timer = setTimeout(() => {
      plannedFor = Infinity
      void flush()
    }, at - Date.now())
  }

  /** A programming error is reported to the window and retried, so that it does not stop the outbox. */
  async function attempt(entry: E, isLeaving: boolean): Promise<Outcome<NonNullable<E['problem']>>> {
    try {
      return await send(entry, { isLeaving })
    } catch (error) {
      reportError(error)
      return { kind: 'later' }
    }
  }

  async function sendOne(entry: E, isLeaving: boolean): Promise<Outcome<unknown>['kind']> {
    const outcome = await attempt(entry, isLeaving)
    if (outcome.kind === 'later') {
      set({ isStuck: true, isSignedOut: outcome.isSignedOut ?? false })
      hurried.clear()
      // The server may have performed it, so that it can no longer be undone, here or after a reload.
      change((all) => all.map((one) => (one.key === entry.key ? { ...one, sendAfter: 0 } : one)))
      plan(retryMs)
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
      return 'later'
    }
    retryMs = FIRST_RETRY_MS
    if (outcome.kind === 'done') drop(entry.key)
    else setProblem(entry.key, outcome.problem)
    set({ isStuck: false, isSignedOut: false })
    onSettled?.()
    return outcome.kind
  }

  function start(entry: E, isLeaving = false) {
    set({ isSending: true })
    const request = sendOne(entry, isLeaving).finally(() => {
      inFlight.delete(entry.key)
      set({ isSending: inFlight.size > 0 })
    })
    inFlight.set(entry.key, request)
    return request
  }

  async function sendAll() {
    try {
      for (;;) {
        // Also lets the caller store `running` before the loop can end.
        await Promise.allSettled(inFlight.values())
        const [next] = ready()
        if (!next) break
        if ((await start(next)) === 'later') return
      }
      const waiting = entries.read().filter(({ problem }) => !problem)
      if (waiting.length > 0) plan(Math.min(...waiting.map(({ sendAfter }) => sendAfter)) - Date.now())
    } finally {
      running = null
    }
  }

  /** Sends the due entries; resolves when they are answered. */
  async function flush({ isHurry = false, isLeaving = false }: FlushOptions = {}): Promise<void> {
    if (isHurry || isLeaving) for (const { key } of entries.read()) hurried.add(key)
    if (isLeaving) await Promise.all(ready().map((entry) => start(entry, true)))
    else await (running ??= sendAll())
  }

  return {
    state,
    flush,
    add(entry: E) {
      change((all) => [...all, entry])
      plan(entry.sendAfter - Date.now())
    },
    /** Removes an entry within its undo window; returns false if it was already sent. */
    undo(key: string): boolean {
      const isWaiting = entries.read().some((one) => one.key === key && one.sendAfter > Date.now())
      if (!isWaiting || inFlight.has(key) || hurried.has(key)) return false
      drop(key)
      return true
    },
    /** Sends a refused entry again. */
    retry(key: string) {
      setProblem(key, undefined)
      void flush()
    },
    /** Removes a refused entry after it was read. */
    dismiss: drop,
    /** Removes all entries, after the person changed. */
    clear: () => change(() => []),
    /** After a storage event of another tab. */
    reread: () => set({ entries: entries.read() }),
    /** Sends nothing more; resolves when the running requests are answered. */
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await Promise.allSettled(inFlight.values())
    },
  }
}
export type Outbox<E extends OutboxEntry> = ReturnType<typeof createOutbox<E>>
