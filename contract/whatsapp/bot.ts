import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { done, idParams, instant } from '../lib/ids.ts'
import { page, pageQuery, wholeNumberQuery } from '../lib/page.ts'
import { freeText, lineText } from '../lib/text.ts'
import { mayManage } from './access.ts'

/** The bot's answers to questions to the shop, further names of its words, and messages it did not understand. */
const base = '/api/admin/whatsapp/bot'

/** Questions to the shop that the bot recognizes by itself. */
export const shopTopics = [
  'payment',
  'hours',
  'days',
  'deliveryTime',
  'fees',
  'minimum',
  'areas',
  'offers',
  'deposit',
  'company',
  'invoice',
  'subscription',
  'robot',
  'contact',
  'cancelPolicy',
  'product',
  'vat',
  'goods',
  'door',
] as const
export type ShopTopic = (typeof shopTopics)[number]
/** A topic, or an answer that staff added, which is reached by its phrases. */
export type AnswerKey = ShopTopic | `own:${number}`

/** Topics that are answered for one brand. */
export const vendorTopics = ['fees', 'minimum', 'deliveryTime'] as const satisfies readonly ShopTopic[]
export type VendorTopic = (typeof vendorTopics)[number]
export const isVendorTopic = (key: AnswerKey): key is VendorTopic => vendorTopics.some((one) => one === key)

/** Facts that an answer names in braces: `{fee}`. They come from the catalogue, the calendar and the settings. */
export const answerFacts = ['fee', 'minimum', 'day', 'days', 'brands', 'hours', 'phone', 'vendor'] as const
export type AnswerFact = (typeof answerFacts)[number]
export type FactValues = Readonly<Record<AnswerFact, string | null>>

/** Only answers for one brand can name it. */
export const factsOf = (key: AnswerKey): readonly AnswerFact[] =>
  isVendorTopic(key) ? answerFacts : answerFacts.filter((name) => name !== 'vendor')

const braces = /\{([^{}]*)\}/g
export const factsIn = (text: string): string[] => [...text.matchAll(braces)].map(([, name = '']) => name)

/** The text with its facts; null if one of them is unknown or has no value. */
export function fillFacts(text: string, values: FactValues): string | null {
  const names = factsIn(text)
  const known = answerFacts.filter((name) => names.includes(name) && values[name] !== null)
  if (names.some((name) => !known.some((one) => one === name))) return null
  return text.replace(braces, (_, name: AnswerFact) => values[name] ?? '')
}

/** The row id in the key of an answer that staff added. */
export function ownAnswerId(key: string): number | null {
  const digits = /^own:([1-9]\d{0,9})$/.exec(key)?.[1]
  const id = Number(digits)
  return digits !== undefined && id <= 2_147_483_647 ? id : null
}
export const topicOf = (key: string): ShopTopic | null => shopTopics.find((topic) => topic === key) ?? null
/** A text as a key; `own:0`, which no answer has, if it is none. */
export const answerKeyOf = (text: string): AnswerKey => topicOf(text) ?? `own:${ownAnswerId(text) ?? 0}`
const keyParams = z.object({ key: z.pipe(z.string(), z.transform(answerKeyOf)) })

export const LONGEST_ANSWER = 700
const answerText = freeText(LONGEST_ANSWER).check(
  z.minLength(1, 'validation.required'),
  z.refine((text) => factsIn(text).every((name) => answerFacts.some((one) => one === name)), 'validation.answerFact'),
)
const title = lineText(60).check(z.minLength(1, 'validation.required'))
const version = z.int().check(z.gte(0))

const LONGEST_ALIAS = 60
const MOST_WORDS = 8
/** Words of letters; digits only within them, as in Arabizi. */
export const aliasText = lineText(LONGEST_ALIAS).check(
  z.minLength(2, 'validation.alias'),
  z.refine((text) => {
    const words = text.split(/\s+/)
    return words.length <= MOST_WORDS && words.every((word) => /\p{L}/u.test(word) && !/[{}?؟!,،;\n&+/]/.test(word))
  }, 'validation.alias'),
)

export const aliasTypes = ['vendor', 'product', 'size', 'area', 'landmark', 'answer'] as const
export type AliasType = (typeof aliasTypes)[number]
const alias = z.object({
  id: z.number(),
  text: z.string(),
  type: z.enum(aliasTypes),
  /** As in the list of targets. */
  target: z.string(),
  createdAt: instant,
})
export type BotAlias = z.output<typeof alias>

const answer = z.object({
  key: z.string(),
  /** Null for topics, which the pages name. */
  title: z.nullable(z.string()),
  ar: z.string(),
  en: z.string(),
  isDefault: z.boolean(),
  /** 0 until staff first write it. */
  version: z.number(),
  changedAt: z.nullable(instant),
  changedBy: z.nullable(z.string()),
})
export type BotAnswer = z.output<typeof answer>
/** Requests to a model today, of its budget. */
const modelUse = z.object({ used: z.number(), budget: z.number() })
export type ModelUse = z.output<typeof modelUse>
const fact = z.object({ name: z.enum(answerFacts), ar: z.nullable(z.string()), en: z.nullable(z.string()) })
export type BotFact = z.output<typeof fact>

export const listBotAnswers = endpoint({
  method: 'GET',
  path: `${base}/answers`,
  ...mayManage,
  summary: 'Answers of the bot to questions to the shop, and the facts that they can name',
  returns: z.object({
    answers: z.array(answer),
    /** Values at this moment. */
    facts: z.array(fact),
    /** Values for one brand, as an example. */
    vendorFacts: z.array(fact),
    /** Null without such a model. */
    models: z.object({ bot: z.nullable(modelUse), voice: z.nullable(modelUse) }),
  }),
})

export const createBotAnswer = endpoint({
  method: 'POST',
  path: `${base}/answers`,
  ...mayManage,
  summary: 'Add an answer and the first phrase that it answers',
  body: z.object({
    title,
    ar: answerText,
    en: answerText,
    phrase: aliasText,
    /** The key of messages that are hereby understood. */
    miss: z.optional(z.string().check(z.maxLength(200))),
  }),
  returns: answer,
  errors: ['ANSWER_FACT', 'ALIAS_REFUSED', 'ANSWERS_FULL'],
})

export const changeBotAnswer = endpoint({
  method: 'PUT',
  path: `${base}/answers/{key}`,
  ...mayManage,
  summary: 'Write an answer in both languages',
  params: keyParams,
  body: z.object({
    ar: answerText,
    en: answerText,
    /** Of answers that staff added. */
    title: z.optional(title),
    version,
  }),
  returns: answer,
  errors: ['ANSWER_NOT_FOUND', 'ANSWER_FACT', 'VERSION_CONFLICT'],
})

export const resetBotAnswer = endpoint({
  method: 'DELETE',
  path: `${base}/answers/{key}`,
  ...mayManage,
  summary: 'Return an answer to its default; delete one that the office added, with its phrases',
  params: keyParams,
  query: z.object({ version: wholeNumberQuery(0, 2_147_483_647) }),
  returns: done,
  errors: ['ANSWER_NOT_FOUND', 'VERSION_CONFLICT'],
})

const target = z.object({
  type: z.enum(aliasTypes),
  target: z.string(),
  name: z.string(),
  nameAr: z.nullable(z.string()),
})
export type AliasTarget = z.output<typeof target>

export const listAliasTargets = endpoint({
  method: 'GET',
  path: `${base}/targets`,
  ...mayManage,
  summary: 'What a further name can mean: brands, products, sizes, areas, places and answers',
  returns: z.array(target),
})

export const listBotAliases = endpoint({
  method: 'GET',
  path: `${base}/aliases`,
  ...mayManage,
  summary: 'Further names that the bot understands, newest first',
  query: pageQuery,
  returns: page(alias),
})

export const createBotAlias = endpoint({
  method: 'POST',
  path: `${base}/aliases`,
  ...mayManage,
  summary: 'Add a further name of a brand, product, size, area, place or answer',
  body: z.object({
    text: aliasText,
    type: z.enum(aliasTypes),
    target: z.string('validation.required').check(z.minLength(1, 'validation.required'), z.maxLength(100)),
    /** The key of messages that are hereby understood. */
    miss: z.optional(z.string().check(z.maxLength(200))),
  }),
  returns: alias,
  errors: ['ALIAS_REFUSED', 'ALIAS_TARGET_NOT_FOUND', 'ALIASES_FULL'],
})

export const deleteBotAlias = endpoint({
  method: 'DELETE',
  path: `${base}/aliases/{id}`,
  ...mayManage,
  summary: 'Delete a further name',
  params: idParams,
  returns: done,
  errors: ['ALIAS_NOT_FOUND'],
})

export const missViews = ['open', 'dismissed'] as const
const miss = z.object({
  /** Normalized; the same for messages that differ only in spelling marks and numbers. */
  key: z.string(),
  /** The last message, without phone numbers and addresses. */
  text: z.string(),
  count: z.number(),
  people: z.number(),
  lastAt: instant,
  /** The contact of the last message. */
  contactId: z.number(),
})
export type BotMiss = z.output<typeof miss>

export const listBotMisses = endpoint({
  method: 'GET',
  path: `${base}/misses`,
  ...mayManage,
  summary: 'Messages of the last 90 days that the bot did not understand, most frequent first',
  query: z.extend(pageQuery, { view: z._default(z.enum(missViews), 'open') }),
  returns: page(miss),
})

const missKey = z.object({ key: z.string().check(z.minLength(1), z.maxLength(200)) })

export const dismissBotMiss = endpoint({
  method: 'POST',
  path: `${base}/misses/dismiss`,
  ...mayManage,
  summary: 'Take a text off the list of what was not understood, also when it comes again',
  body: missKey,
  returns: done,
  errors: ['MISS_NOT_FOUND'],
})

export const restoreBotMiss = endpoint({
  method: 'POST',
  path: `${base}/misses/restore`,
  ...mayManage,
  summary: 'Put a dismissed text back on the list',
  body: missKey,
  returns: done,
  errors: ['MISS_NOT_FOUND'],
})
