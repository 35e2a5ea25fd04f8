interface Parts<Wish> {
  send(wish: Wish, about: { isLeaving: boolean }): Promise<void>
  /** Calls back later; answers how to call that off. */
  wait(callback: () => void, ms: number): () => void
  /** What waits or is being sent, the newest last. */
  onChange(held: readonly Wish[]): void
}

/** In which an act can be taken back. */
export const UNDO_MS = 6_000

/**
 * Acts that begin a moment later: till then they are taken back as if they had never been, and nobody was told.
 * One waits at a time; the next one, and leaving the page, sends it at once. They are sent one after the other.
 */
export function createHold<Wish>({ send, wait, onChange }: Parts<Wish>) {
  let waiting: { wish: Wish; callOff: () => void } | null = null
  let held: readonly Wish[] = []
  let sending: Promise<void> = Promise.resolve()

  function set(next: readonly Wish[]) {
    held = next
    onChange(held)
  }
  const drop = (wish: Wish) => set(held.filter((one) => one !== wish))

  /** Sends what waits; in the end everything is sent. */
  function flush({ isLeaving = false } = {}): Promise<void> {
    if (waiting) {
      const { wish, callOff } = waiting
      callOff()
      waiting = null
      // A page that goes away has no later.
      // A failed act does not block the next one.
      const before = isLeaving ? Promise.resolve() : sending.catch(() => undefined)
      sending = before.then(() => send(wish, { isLeaving })).finally(() => drop(wish))
    }
    return sending
  }

  /** False where it is too late. */
  function undo(wish: Wish): boolean {
    if (waiting?.wish !== wish) return false
    waiting.callOff()
    waiting = null
    drop(wish)
    return true
  }

  return {
    add(wish: Wish) {
      void flush()
      waiting = { wish, callOff: wait(() => void flush(), UNDO_MS) }
      set([...held, wish])
    },
    undo,
    flush,
    /** What waits is sent no more: whoever is here now did not ask for it. */
    forget() {
      if (waiting) undo(waiting.wish)
    },
  }
}
