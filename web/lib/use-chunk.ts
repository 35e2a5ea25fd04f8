import { startTransition, useEffect, useEffectEvent, useState } from 'react'

interface Options<T> {
  /** Loads the chunk while truthy; each new value tries again. */
  need?: unknown
  /** Receives the error of each failed attempt. */
  onError?(error: unknown): void
  /** The chunk, if something else has loaded it before: a page's loader, before the page is rendered or hydrated. */
  loaded?: T | null
}

/**
 * A component, or several, in a chunk of its own; null until it is loaded. A failed load breaks nothing and is repeated
 * when `need` changes or the connection returns. `load` must be declared outside of components.
 */
export function useChunk<T extends object>(
  load: () => Promise<T>,
  { need = true, onError, loaded = null }: Options<T> = {},
): T | null {
  // On the server other requests may have loaded it: the browser, which has not, must render the same.
  const [Loaded, setLoaded] = useState<T | null>(() => (need ? loaded : null))
  const failed = useEffectEvent((error: unknown) => onError?.(error))
  useEffect(() => {
    if (!need || Loaded) return
    let isCurrent = true
    const attempt = () =>
      void load().then(
        // Not urgent: a press meanwhile is shown first.
        (component) => isCurrent && startTransition(() => setLoaded(() => component)),
        (error: unknown) => {
          console.warn('A part of the page could not be loaded', error)
          if (isCurrent) failed(error)
        },
      )
    attempt()
    window.addEventListener('online', attempt)
    return () => {
      isCurrent = false
      window.removeEventListener('online', attempt)
    }
  }, [load, need, Loaded])
  return Loaded
}
