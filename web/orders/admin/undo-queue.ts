interface Parts<Action> {
  send(action: Action, about: { isLeaving: boolean }): Promise<void>
  /** Returns a function that cancels the timer. */
  wait(callback: () => void, ms: number): () => void
  /** Waiting and in-flight actions, newest last. */
  onChange(held: readonly Action[]): void
}

/** The undo window. */
export const UNDO_MS = 6_000

/**
 * Delays actions by the undo window; an undone action is never sent. One action waits at a time: the next one, and
 * leaving the page, sends it at once. Requests run one after the other.
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

  /** Sends the waiting action; resolves when all are sent. */
  function flush({ isLeaving = false } = {}): Promise<void> {
    if (waiting) {
      const { action, callOff } = waiting
      callOff()
      waiting = null
      // A page that is being closed cannot wait for the previous answer.
      // A failed act does not block the next one.
      const before = isLeaving ? Promise.resolve() : sending.catch(() => undefined)
      sending = before.then(() => send(action, { isLeaving })).finally(() => drop(action))
    }
    return sending
  }

  /** Returns false if the action was already sent. */
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
    /** Drops the waiting action, after the person changed. */
    forget() {
      if (waiting) undo(waiting.action)
    },
  }
}
