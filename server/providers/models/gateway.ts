import * as z from 'zod/mini'
import type { ModelConfig } from '../../config/messaging.ts'
import type { ChatQuestion, ModelAnswer, Sound } from './model.ts'
import { type Answer, type CallOptions, callProvider, type Failure, postJson } from '../provider-http.gateway.ts'

/** Longer than any reading or two minutes of speech. */
const LONGEST_ANSWER = 4_000
const CHAT_MS = 4_000
/** The sound is sent and transcribed as a whole. */
const VOICE_MS = 25_000

const refused = { ok: false, kind: 'refused' } as const

const completion = z.object({
  choices: z
    .array(
      z.object({
        // `length`: cut off; `tool_calls`: something else was wanted.
        finish_reason: z.literal('stop'),
        message: z.object({
          content: z.string().check(z.maxLength(LONGEST_ANSWER)),
          refusal: z.nullish(z.literal('')),
          tool_calls: z.nullish(z.array(z.unknown()).check(z.maxLength(0))),
        }),
      }),
    )
    .check(z.minLength(1)),
})

/**
 * Asks a language model for JSON of a schema. What it answers is parsed and not checked against the schema: not every
 * server obeys it. Nothing but what all servers accept is sent, so no temperature and no limit of tokens.
 */
export async function askChat(
  config: ModelConfig,
  question: ChatQuestion,
  { timeoutMs = CHAT_MS }: Pick<CallOptions, 'timeoutMs'> = {},
): Promise<ModelAnswer<unknown>> {
  const answer = await postJson(`${config.url}/chat/completions`, {
    token: config.key,
    body: {
      model: config.model,
      messages: [
        { role: 'system', content: question.system },
        { role: 'user', content: question.user },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'reading', strict: true, schema: question.schema } },
    },
    timeoutMs,
  })
  const failure = failureOf(answer)
  if (failure) return failure
  const { data } = completion.safeParse('body' in answer ? answer.body : null)
  const [choice] = data?.choices ?? []
  try {
    return choice ? { ok: true, value: JSON.parse(choice.message.content) as unknown } : refused
  } catch {
    // Prose in place of JSON.
    return refused
  }
}

const transcript = z.object({ text: z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_ANSWER)) })

/** Writes down a voice message. */
export async function transcribe(config: ModelConfig, sound: Sound): Promise<ModelAnswer<string>> {
  const body = new FormData()
  body.set('model', config.model)
  body.set('response_format', 'json')
  body.set('file', new Blob([sound.bytes], { type: sound.mimeType }), sound.filename)
  const answer = await callProvider(`${config.url}/audio/transcriptions`, {
    method: 'POST',
    headers: config.key ? { authorization: `Bearer ${config.key}` } : {},
    body,
    timeoutMs: VOICE_MS,
  })
  const failure = failureOf(answer)
  if (failure) return failure
  const { data } = transcript.safeParse('body' in answer ? answer.body : null)
  return data ? { ok: true, value: data.text } : refused
}

function failureOf(answer: Answer | Failure): Extract<ModelAnswer<never>, { ok: false }> | null {
  if (!('ok' in answer) && answer.status === 200) return null
  const { retryAfter } = answer
  return { ok: false, kind: 'failed', ...(retryAfter === undefined ? {} : { retryAfter }) }
}
