/** Calls each listener when something happens. A value that components show is an atom of `@tanstack/react-store`. */
export function createEvent<T = void, R = void>() {
  const listeners = new Set<(value: T) => R>()
  return {
    /** Returns the unsubscribe function. */
    on(listener: (value: T) => R): () => void {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    emit: (value: T): R[] => [...listeners].map((listener) => listener(value)),
  }
}
