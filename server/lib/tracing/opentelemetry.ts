import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, SpanKind as Kind, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type SpanKind, setTracing, type Tracing } from './tracing.ts'

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
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUE })],
  })
  const tracer = provider.getTracer('qatra')
  const current = new AsyncLocalStorage<Context>()
  const tracing: Tracing = {
    open(name, kind, attributes = {}) {
      // Workers and connections keep the context in which they began.
      const parent = kind === 'client' ? (current.getStore() ?? ROOT_CONTEXT) : ROOT_CONTEXT
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
