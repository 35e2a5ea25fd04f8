import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, SpanKind as Kind, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { type Attributes, type Span, type SpanKind, setTracing, type Tracing } from './tracing.ts'

const kinds: Record<SpanKind, Kind> = { server: Kind.SERVER, client: Kind.CLIENT, consumer: Kind.CONSUMER }
/** Of some seconds under load; further spans are dropped. */
const MAX_QUEUE = 8_192
const STOP_WITHIN_MS = 2_000

/** The kind of an error, not its text, which may have data of a person. */
const kindOf = (error: unknown) => {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'Error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Loaded only while traces are on: the packages take memory and time. */
export function startTracing({ endpoint, ratio }: { endpoint: string; ratio: number }): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'qatra', 'process.pid': process.pid }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUE })],
  })
  const tracer = provider.getTracer('qatra')
  const current = new AsyncLocalStorage<Context | undefined>()
  const untraced: Span = { within: (work) => current.run(undefined, work), end: () => {} }
  /** The share is drawn here, not by a sampler of the SDK: what is not drawn costs nothing further. */
  function openRoot(name: string, kind: SpanKind, attributes: Attributes) {
    if (Math.random() < ratio) return begin(name, kind, { attributes, parent: ROOT_CONTEXT })
    // Workers and connections keep the context in which they began.
    return current.getStore() === undefined ? null : untraced
  }
  function openChild(name: string, attributes: Attributes) {
    const parent = current.getStore()
    return parent === undefined ? null : begin(name, 'client', { attributes, parent })
  }
  function begin(
    name: string,
    kind: SpanKind,
    { attributes, parent }: { attributes: Attributes; parent: Context },
  ): Span {
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
    return {
      within: (work) => current.run(trace.setSpan(parent, span), work),
      end({ name: finalName, attributes: more = {}, error } = {}) {
        if (finalName !== undefined) span.updateName(finalName)
        span.setAttributes(more)
        if (error !== undefined)
          span.setAttribute('error.type', kindOf(error)).setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }
  const tracing: Tracing = {
    open: (name, kind, attributes = {}) =>
      kind === 'client' ? openChild(name, attributes) : openRoot(name, kind, attributes),
    isTraced: () => current.getStore() !== undefined,
    bind(work) {
      const context = current.getStore()
      return (...args) => current.run(context, work, ...args)
    },
    async stop() {
      setTracing(null)
      // A collector that does not answer must not delay the end of the process.
      await Promise.race([provider.shutdown().catch(() => {}), sleep(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
  setTracing(tracing)
  return tracing
}
