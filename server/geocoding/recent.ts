export interface Recent<T> {
  get: (key: string) => T | undefined
  set: (key: string, value: T) => void
  delete: (key: string) => void
}

/** Keeps what was used last; past `most` values the one unused for longest goes. */
export function createRecent<T>(most: number): Recent<T> {
  const values = new Map<string, T>()
  return {
    get(key) {
      const value = values.get(key)
      if (value === undefined) return undefined
      // A Map keeps the order in which keys were set.
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.size > most ? values.keys() : []
      if (oldest !== undefined) values.delete(oldest)
    },
    delete: (key) => void values.delete(key),
  }
}
