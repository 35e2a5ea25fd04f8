import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'

interface Options {
  /** Loads the chunk while truthy; each new value tries again. */
  need?: unknown
  /** Receives the error of each failed attempt. */
  onError?(error: unknown): void
}

/**
 * A component in its own chunk; null until it is loaded. A failed load breaks nothing and is repeated when `need` changes or
 * the connection returns. `load` must be declared outside of components.
 */
export function useChunk<P>(
  load: () => Promise<ComponentType<P>>,
  { need = true, onError }: Options = {},
): ComponentType<P> | null {
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null)
  const failed = useEffectEvent((error: unknown) => onError?.(error))
  useEffect(() => {
    if (!need || Loaded) return
    let isCurrent = true
    const attempt = () =>
      void load().then(
        (component) => isCurrent && setLoaded(() => component),
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
