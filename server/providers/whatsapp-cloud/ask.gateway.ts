import { fit } from '@qatra/contract/lib/fit'
import type * as z from 'zod/mini'
import type { WhatsappConfig } from '../../config/messaging.ts'
import type { CallOptions } from '../provider-http.gateway.ts'
import type { Asked } from './asked.ts'
import { callGraph, type GraphRequest } from './graph.gateway.ts'

interface Request<S> extends GraphRequest {
  answer: S
}

/** Meta's refusals of a busy account or of a request that may be repeated. */
const passing: readonly number[] = [1, 2, 4, 17, 32, 80007, 80008, 613, 131057]

/** One call to the Graph API outside of messages. Failures of Meta and limits count as no answer. */
export async function ask<S extends z.ZodMiniType>(
  config: WhatsappConfig,
  { answer: schema, ...request }: Request<S>,
  options: CallOptions = {},
): Promise<Asked<z.output<S>>> {
  const answer = await callGraph(config, request, options)
  if ('ok' in answer) return { kind: 'silent' }
  if (answer.error) {
    const { code, subcode, userText } = answer.error
    if (passing.includes(code) || answer.status === 429 || answer.status >= 500) return { kind: 'silent' }
    const reason = fit(`${code}: ${userText}`, 500)
    return { kind: 'refused', code, subcode, text: reason }
  }
  const read = answer.status < 300 ? schema.safeParse(answer.body) : null
  return read?.success ? { kind: 'answered', value: read.data } : { kind: 'silent' }
}
