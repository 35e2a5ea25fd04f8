interface Parts<Action> {
  send(action: Action, about: { isLeaving: boolean }): Promise<void>
  /** Calls back later; answers how to call that off. */
  wait(callback: () => void, ms: number): () => void
  /** What waits or is being sent, the newest last. */
  onChange(held: readonly Action[]): void
}

/** In which an act can be taken back. */
export const UNDO_MS = 6_000

/**
 * Acts that begin a moment later: till then they are taken back as if they had never been, and nobody was told.
 * One waits at a time; the next one, and leaving the page, sends it at once. They are sent one after the other.
 */
export function createUndoQueue<Action>({ send, wait, onChange }: Parts<Action>) {
  let waiting: { action: Action; callOff: () => void } | null = null
  let held: readonly Action[] = []
  let sending: Promise<void> = Promise.resolve()

  function set(next: readonly Action[]) {
    held = next
    onChange(held)
  }
  const drop = (action: Action) => set(held.filter((one) => one !== action))

  /** Sends what waits; in the end everything is sent. */
  function flush({ isLeaving = false } = {}): Promise<void> {
    if (waiting) {
      const { action, callOff } = waiting
      callOff()
      waiting = null
      // A page that goes away has no later.
      // A failed act does not block the next one.
      const before = isLeaving ? Promise.resolve() : sending.catch(() => undefined)
      sending = before.then(() => send(action, { isLeaving })).finally(() => drop(action))
    }
    return sending
  }

  /** False where it is too late. */
  function undo(action: Action): boolean {
    if (waiting?.action !== action) return false
    waiting.callOff()
    waiting = null
    drop(action)
    return true
  }

  return {
    add(action: Action) {
      void flush()
      waiting = { action, callOff: wait(() => void flush(), UNDO_MS) }
      set([...held, action])
    },
    undo,
    flush,
    /** What waits is sent no more: whoever is here now did not ask for it. */
    forget() {
      if (waiting) undo(waiting.action)
    },
  }
}
