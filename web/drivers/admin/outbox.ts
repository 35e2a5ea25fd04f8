import type { RunAction } from './run-actions.ts'

/** What became of one act that was sent. */
export type Outcome =
  | { kind: 'done' }
  /** No network, or a server that is not well: later. */
  | { kind: 'later'; isSignedOut?: boolean }
  | { kind: 'refused'; problem: NonNullable<RunAction['problem']> }

export interface OutboxParts {
  /** The browser's; `localStorage` is read before each change, so that two tabs do not lose each other's acts. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Whose acts these are: another person at this telephone neither sees nor sends them. */
  userId: number
  send(act: RunAction): Promise<Outcome>
  now(): number
  /** Calls back later; answers how to call that off. */
  wait(callback: () => void, ms: number): () => void
  /** Something reached the server, or was refused by it. */
  onNews(): void
}

export interface OutboxState {
  acts: readonly RunAction[]
  isSending: boolean
  isSignedOut: boolean
  /** The last try got no answer. */
  isStuck: boolean
}

const FIRST_RETRY_MS = 4_000
const LAST_RETRY_MS = 60_000
/** In which an act can be taken back. */
export const UNDO_MS = 5_000

const isAct = (value: unknown): value is RunAction =>
  typeof value === 'object' && value !== null && 'key' in value && 'orderId' in value && 'kind' in value

/** Keeps what a driver did until the server has it: over dead spots, closed pages and days. One act at a time, oldest first. */
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

  /** Sends what may be sent; in a hurry (the page goes away) also what could still be taken back. */
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
    /** Takes back what was not sent yet; false where it is too late. */
    undo(key: string): boolean {
      const isThere = readActs().some((act) => act.key === key && act.sendAfter > now())
      if (isThere) without(key)
      return isThere
    },
    /** A refusal that was read. */
    dismiss: without,
    flush,
    /** Another tab wrote. */
    reread: () => set({ acts: readActs() }),
    stop: () => callOff?.(),
  }
}
export type Outbox = ReturnType<typeof createOutbox>
