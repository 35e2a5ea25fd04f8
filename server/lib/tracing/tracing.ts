/** Names, counts and codes; never anything of a person. */
export type Attributes = Record<string, string | number>
export type SpanKind = 'server' | 'client' | 'consumer'

export interface Span {
  /** Runs `work`; the spans that it and what it starts open belong to this one. */
  within: <T>(work: () => T) => T
  end: (outcome?: { name?: string; attributes?: Attributes; error?: unknown }) => void
}

export interface Tracing {
  /** Opens a span; one of the kind `client` belongs to the current one. */
  open: (name: string, kind: SpanKind, attributes?: Attributes) => Span
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
  if (tracing === null) return work()
  const span = tracing.open(name, kind, attributes)
  try {
    const result = await span.within(work)
    span.end()
    return result
  } catch (error) {
    span.end({ error })
    throw error
  }
}
