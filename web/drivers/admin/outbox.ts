import type { RunAction } from './run-actions.ts'

/** Result of sending one action. */
export type Outcome =
  | { kind: 'done' }
  /** No network or a server error: retry. */
  | { kind: 'later'; isSignedOut?: boolean }
  | { kind: 'refused'; problem: NonNullable<RunAction['problem']> }

export interface OutboxParts {
  /** Read before each change, so that two tabs do not overwrite each other's actions. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Owner of the actions: other people on this device neither see nor send them. */
  userId: number
  send(act: RunAction): Promise<Outcome>
  now(): number
  /** Returns a function that cancels the timer. */
  wait(callback: () => void, ms: number): () => void
  /** An action was sent or refused. */
  onNews(): void
}

export interface OutboxState {
  acts: readonly RunAction[]
  isSending: boolean
  isSignedOut: boolean
  /** The last attempt failed. */
  isStuck: boolean
}

const FIRST_RETRY_MS = 4_000
const LAST_RETRY_MS = 60_000
/** The undo window. */
export const UNDO_MS = 5_000

const isAct = (value: unknown): value is RunAction =>
  typeof value === 'object' && value !== null && 'key' in value && 'orderId' in value && 'kind' in value

/**
 * Stores a driver's actions until the server has them, over lost connections and reloads. Sends one at a time, oldest
 * first.
 */
export function createOutbox({ storage, userId, send, now, wait, onNews }: OutboxParts) {
  const place = `run-acts.${userId}`
  const listeners = new Set<() => void>()
  let retryMs = FIRST_RETRY_MS
  let callOff: (() => void) | null = null
  let running: Promise<void> | null = null
  let state: OutboxState = { acts: readActs(), isSending: false, isSignedOut: false, isStuck: false }

  function readActs(): RunAction[] {
    try {
      const kept: unknown = JSON.parse(storage.getItem(place) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isAct) : []
    } catch {
      return [] // Somebody else's text: nothing that could be sent.
    }
  }
  function set(change: Partial<OutboxState>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  function change(edit: (acts: RunAction[]) => RunAction[]) {
    const acts = edit(readActs())
    if (acts.length === 0) storage.removeItem(place)
    else storage.setItem(place, JSON.stringify(acts))
    set({ acts })
  }
  const without = (key: string) => change((acts) => acts.filter((act) => act.key !== key))
  const isReady = ({ problem, sendAfter }: RunAction, isHurry: boolean) => !problem && (isHurry || sendAfter <= now())

  function plan(ms: number) {
    callOff?.()
    callOff = wait(() => {
      callOff = null
      void flush()
    }, ms)
  }

  async function sendAll(isHurry: boolean): Promise<void> {
    for (;;) {
      const act = readActs().find((one) => isReady(one, isHurry))
      if (!act) break
      const outcome = await send(act)
      if (outcome.kind === 'later') {
        set({ isStuck: true, isSignedOut: outcome.isSignedOut ?? false })
        plan(retryMs)
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
        return
      }
      retryMs = FIRST_RETRY_MS
      if (outcome.kind === 'done') without(act.key)
      else change((acts) => acts.map((one) => (one.key === act.key ? { ...one, problem: outcome.problem } : one)))
      set({ isStuck: false, isSignedOut: false })
      onNews()
    }
    const waiting = readActs().filter(({ problem }) => !problem)
    const [soonest] = waiting.map(({ sendAfter }) => sendAfter).sort((a, b) => a - b)
    if (soonest !== undefined) plan(Math.max(0, soonest - now()))
  }

  /** Sends due actions; with `isHurry` (the page is being left) also those in the undo window. */
  function flush({ isHurry = false } = {}): Promise<void> {
    running ??= Promise.resolve()
      .then(() => {
        set({ isSending: true })
        return sendAll(isHurry)
      })
      .finally(() => {
        running = null
        set({ isSending: false })
      })
    return running
  }

  return {
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add(act: RunAction) {
      change((acts) => [...acts, act])
      plan(Math.max(0, act.sendAfter - now()))
    },
    /** Removes an unsent action; returns false if it was already sent. */
    undo(key: string): boolean {
      const isThere = readActs().some((act) => act.key === key && act.sendAfter > now())
      if (isThere) without(key)
      return isThere
    },
    /** Removes a refused action after it was read. */
    dismiss: without,
    flush,
    /** After a storage event of another tab. */
    reread: () => set({ acts: readActs() }),
    stop: () => callOff?.(),
  }
}
export type Outbox = ReturnType<typeof createOutbox>
