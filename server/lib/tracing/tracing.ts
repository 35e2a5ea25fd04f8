/** Names, counts and codes; never anything of a person. */
export type Attributes = Record<string, string | number>
export type SpanKind = 'server' | 'client' | 'consumer'

export interface Span {
  /** Runs `work`; the spans that it and what it starts open belong to this one. */
  within: <T>(work: () => T) => T
  end: (outcome?: { name?: string; attributes?: Attributes; error?: unknown }) => void
}

export interface Tracing {
  /** Opens a span; one of the kind `client` belongs to the current one. Null if it is not to be traced. */
  open: (name: string, kind: SpanKind, attributes?: Attributes) => Span | null
  /** Whether the caller runs within a span. */
  isTraced: () => boolean
  /** The same function, run within the span of this call; `AsyncResource.bind` takes thirty times as long. */
  bind: <Args extends unknown[]>(work: (...args: Args) => void) => (...args: Args) => void
  stop: () => Promise<void>
}

let tracing: Tracing | null = null

/** Null while traces are off. */
export const currentTracing = () => tracing
export function setTracing(started: Tracing | null) {
  tracing = started
}

/** Runs `work` within a span while traces are on, otherwise alone. */
export async function traced<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracing?.open(name, kind, attributes)
  if (!span) return work()
  try {
    const result = await span.within(work)
    span.end()
    return result
  } catch (error) {
    span.end({ error })
    throw error
  }
}
