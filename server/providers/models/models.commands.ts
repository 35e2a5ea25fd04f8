import type { ModelUse } from '@qatra/contract/whatsapp/bot'
import { Counter } from 'prom-client'
import type { Config } from '../../config/config.ts'
import type { ModelConfig } from '../../config/messaging.ts'
import { type Db, run, statement } from '../../database/db.ts'
import type { App } from '../../http/runtime.ts'
import { askChat, transcribe } from './gateway.ts'
import type { ChatQuestion, ModelAnswer, Sound } from './model.ts'

type ModelService = 'bot' | 'voice'

const outcomes = ['answered', 'refused', 'failed', 'over-budget', 'resting'] as const
const asked = new Counter({
  name: 'qatra_model_requests_total',
  help: 'Questions for a model; refused: it gave no usable answer; over-budget, resting: it was not called',
  labelNames: ['service', 'outcome'] as const,
})
// A series that begins with its first event hides that event from increase().
for (const service of ['bot', 'voice'] satisfies ModelService[])
  for (const outcome of outcomes) asked.inc({ service, outcome }, 0)

const MOST_FAILURES = 5
const REST_SECONDS = 60

export interface Breaker {
  isOpen: (now: number) => boolean
  succeed: () => void
  fail: (now: number, retryAfterSeconds?: number) => void
}

/** Lets a service rest for a minute after five failures in a row, or as long as it says; then one failure suffices. */
export function createBreaker(): Breaker {
  let failures = 0
  let restsUntil = 0
  return {
    isOpen: (now) => now < restsUntil,
    succeed() {
      failures = 0
    },
    fail(now, retryAfterSeconds) {
      failures += 1
      if (failures < MOST_FAILURES && retryAfterSeconds === undefined) return
      restsUntil = now + (retryAfterSeconds ?? REST_SECONDS) * 1_000
    },
  }
}

const TODAY = `(now() at time zone 'Asia/Bahrain')::date`
const takeSql = statement(
  'model-request',
  `insert into model_requests as m (service, day, requests) values ($1, ${TODAY}, 1)
   on conflict (service, day) do update set requests = m.requests + 1 where m.requests < $2 returning requests`,
)
const usedSql = statement('model-requests', `select service, requests from model_requests where day = ${TODAY}`)

/** Requests of today, of the budgets of the models that there are. */
export async function readModelUse({ db }: { db: Db }, { bot, voice }: Config['models']) {
  const rows = bot || voice ? await run<{ service: string; requests: number }>(db, usedSql) : []
  const shareOf = (service: ModelService, model: ModelConfig | null): ModelUse | null =>
    model && { used: rows.find((row) => row.service === service)?.requests ?? 0, budget: model.budget }
  return { bot: shareOf('bot', bot), voice: shareOf('voice', voice) }
}

export interface Models {
  /** The answer as `read` accepts it; null if there is none, whatever the reason. Absent without a model. */
  chat?: <T>(question: ChatQuestion, read: (answer: unknown) => T | null) => Promise<T | null>
  /** The words of a voice message, on the same terms. */
  hear?: (sound: Sound) => Promise<string | null>
}

const made = new WeakMap<App, Models>()

/** The models of this process's configuration. Never called inside of a transaction: they answer after seconds. */
export function modelsOf(app: App): Models {
  const known = made.get(app)
  if (known) return known
  const { bot, voice } = app.config.models
  const ofBot = createBreaker()
  const ofVoice = createBreaker()
  const models: Models = {
    ...(bot && {
      chat: (question, read) =>
        ask(app, { service: 'bot', breaker: ofBot, budget: bot.budget }, async () => {
          const answer = await askChat(bot, question)
          const value = answer.ok ? read(answer.value) : null
          return answer.ok ? (value === null ? { ok: false, kind: 'refused' } : { ok: true, value }) : answer
        }),
    }),
    ...(voice && {
      hear: (sound) =>
        ask(app, { service: 'voice', breaker: ofVoice, budget: voice.budget }, () => transcribe(voice, sound)),
    }),
  }
  made.set(app, models)
  return models
}

interface Gate {
  service: ModelService
  breaker: Breaker
  budget: number
}

async function ask<T>(
  { db, log }: Pick<App, 'db' | 'log'>,
  { service, breaker, budget }: Gate,
  call: () => Promise<ModelAnswer<T>>,
): Promise<T | null> {
  const count = (outcome: (typeof outcomes)[number]) => asked.inc({ service, outcome })
  if (breaker.isOpen(performance.now())) {
    count('resting')
    return null
  }
  const taken = await run(db, takeSql, [service, budget])
  if (taken.length === 0) {
    count('over-budget')
    return null
  }
  const answer = await call()
  if (answer.ok || answer.kind === 'refused') breaker.succeed()
  else breaker.fail(performance.now(), answer.retryAfter)
  count(answer.ok ? 'answered' : answer.kind)
  if (answer.ok) return answer.value
  // Question and answer are a customer's words and not logged.
  log.info({ service, kind: answer.kind }, 'no answer of the model')
  return null
}
