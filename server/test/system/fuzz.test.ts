import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { type ErrorResponse, errors } from '@qatra/contract/errors'
import { afterAll, describe, expect, it } from 'vitest'
import { translatorFor } from '../../lib/translate.ts'
import { startShop } from '../app.ts'
import { addressWith, firstRow, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { type Identity, meet, type Person } from '../fixtures/identities.ts'
import type { Sent } from '../matrix/row.ts'
import { randomFrom, sample, sampleSeed } from '../sample.ts'
import type { Answer } from '../visitor.ts'
import {
  borderDays,
  borderInstants,
  type DateField,
  dateFieldsOf,
  edgeDays,
  edgeInstants,
  fieldsOf,
  withDate,
} from './date-fields.ts'
import { hostileBodies, hostileTexts, hostileValues } from './hostile-values.ts'

/** Number of requests to all endpoints; the long run uses FUZZ=100000. */
const WANTED = Number(process.env['FUZZ'] ?? 4_000)
const SHARE = 0.25

const shop = await startShop({ rateLimits: false })
const random = randomFrom(sampleSeed)
function pick<T>(values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined && values.length === 0) throw new Error('Nothing to pick from')
  return value as T // an index below the length
}

interface Request {
  method: string
  url: string
  body?: unknown
  raw?: string | Buffer
  headers: Record<string, string>
}

/** Replaces a random value in a valid body. */
function spoil(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || random() < 0.1) return pick(hostileValues)
  const entries = Object.entries(body)
  if (entries.length === 0 || random() < 0.1) return { ...body, [pick(hostileTexts)]: pick(hostileValues) }
  const [key, value] = pick(entries)
  const isInner = typeof value === 'object' && value !== null && random() < 0.5
  return { ...body, [key]: isInner ? spoil(value) : pick(hostileValues) }
}

function queryNames({ query }: AnyEndpoint): string[] {
  if (!query || !('shape' in query)) return ['x']
  return Object.keys(query.shape as object) // every query of the table is an object's schema
}

function requestOf(endpoint: AnyEndpoint, sent: Sent): Request {
  const headers: Record<string, string> = { 'accept-language': pick(['ar', 'en', 'xx', '']) }
  const dates = dateFieldsOf(endpoint)
  const target = pick([
    ...(dates.length > 0 ? ['date', 'date'] : []),
    ...(endpoint.path.includes('{') ? ['path', 'path'] : []),
    'query',
    ...(endpoint.method === 'GET' ? [] : ['body', 'body', 'body', 'raw']),
    'header',
  ])
  const { method } = endpoint
  if (target === 'date') {
    const changed = withDate(sent, pick(dates), pick([...edgeInstants, ...edgeDays, ...borderDays, ...borderInstants]))
    return { method, url: addressWith(endpoint, changed), body: changed.body, headers }
  }
  if (target === 'path') {
    const params = Object.fromEntries(Object.keys(sent.params ?? {}).map((name) => [name, pick(hostileTexts)]))
    return { method, url: addressWith(endpoint, { ...sent, params }), body: sent.body, headers }
  }
  if (target === 'query') {
    const query = { ...sent.query, [pick([...queryNames(endpoint), '__proto__', 'x'])]: pick(hostileTexts) }
    return { method, url: addressWith(endpoint, { ...sent, query }), body: sent.body, headers }
  }
  const url = addressWith(endpoint, sent)
  if (target === 'raw') return { method, url, raw: pick(hostileBodies), headers }
  if (target === 'body') return { method, url, body: spoil(sent.body ?? {}), headers }
  const name = pick(['idempotency-key', 'user-agent', 'cookie', 'accept-language', 'if-none-match', 'x-forwarded-for'])
  const value = pick(hostileTexts).replace(/[^\x20-\x7e]/g, '?')
  return { method, url, body: sent.body, headers: { ...headers, [name]: name === 'cookie' ? `sid=${value}` : value } }
}

/** Internal details that no response may contain. */
const inner =
  /\n\s+at |node_modules|server\/|\.ts:\d|select .* from|insert into|syntax error|relation \\?"|column \\?"|pg_|drizzle|ZodError/i

function problemsOf(
  endpoint: AnyEndpoint,
  { status, body, refusal, headers }: Pick<Answer<unknown>, 'status' | 'body' | 'refusal' | 'headers'>,
  lang: 'ar' | 'en',
): string[] {
  const problems: string[] = []
  const text = JSON.stringify(body)
  if (status >= 500) problems.push(`status ${status}`)
  if (status >= 400 && inner.test(text)) problems.push(`tells too much: ${text.slice(0, 300)}`)
  if (status === 200) {
    const read = endpoint.returns.safeParse(body)
    if (!read.success) problems.push(`an answer of another shape: ${JSON.stringify(read.error.issues).slice(0, 300)}`)
    return problems
  }
  if (status === 204) return problems
  const known = Object.entries(errors).find(([code]) => code === refusal?.code)
  if (!known || known[1][0] !== status || known[1][1] !== refusal.message)
    problems.push(`no refusal: ${text.slice(0, 200)}`)
  if (typeof refusal?.details !== 'object') problems.push('no details')
  for (const [field, words] of Object.entries(refusal?.details?.fields ?? {})) {
    const isIn = (script: RegExp) => script.test(words)
    if (!isIn(/\p{L}/u) || words.startsWith('validation.')) problems.push(`${field}: ${words}`)
    else if (isIn(/\p{Script=Arabic}/u) !== (lang === 'ar')) problems.push(`${field} is in another language: ${words}`)
  }
  if (status === 429 && !(Number(headers['retry-after']) >= 1)) problems.push('429 without Retry-After')
  return problems
}

async function fuzz(endpoint: AnyEndpoint, times: number): Promise<string[]> {
  const row = firstRow(endpoint)
  const found: string[] = []
  let person: Person | null = null
  let sent: Sent = {}
  for (let n = 0; n < times; n += 1) {
    // Changes the person regularly: earlier requests can have erased, signed out or locked the current one.
    if (n % 25 === 0 || !person) {
      const who: Identity = endpoint.path.startsWith('/api/admin')
        ? pick(['super_admin', 'driver'])
        : endpoint.path.startsWith('/api/sales')
          ? pick(['super_admin', 'vendor_sales'])
          : 'customer'
      person = await meet(shop, who)
      sent = await sentBy(shop, row, person)
    }
    const request = requestOf(endpoint, sent)
    const answer = await person.send(request.method, request.url, request)
    const lang = request.headers['accept-language']?.startsWith('en') ? 'en' : 'ar'
    for (const problem of problemsOf(endpoint, answer, lang)) {
      found.push(`${problem} ← ${JSON.stringify(request).slice(0, 600)}`)
    }
  }
  return found
}

describe(`hostile values (seed ${sampleSeed})`, () => {
  const each = Math.ceil(WANTED / endpoints.length)
  it.each(sample(endpoints, SHARE).map((endpoint) => [keyOf(endpoint), endpoint] as const))(
    'to %s get an error of the contract or have no harmful effect',
    { timeout: 60_000 + each * 100 },
    async (_, endpoint) => {
      expect(await fuzz(endpoint, each)).toEqual([])
    },
  )
})

const dateFields = endpoints.flatMap((endpoint) =>
  dateFieldsOf(endpoint).map((field) => [`${keyOf(endpoint)} ${field.path.join('.')}`, endpoint, field] as const),
)

describe(`dates at the edges (seed ${sampleSeed})`, () => {
  /** Calls an endpoint with these values in one date field; returns the unexpected responses. */
  async function answersTo(endpoint: AnyEndpoint, field: DateField, values: readonly string[], isRefused: boolean) {
    const person = await meet(shop, /^\/api\/(?:admin|sales)\//.test(endpoint.path) ? 'super_admin' : 'customer')
    const sent = await sentBy(shop, firstRow(endpoint), person)
    const found: string[] = []
    const refusedBy = [`validation.${field.kind}`, 'validation.invalid']
    for (const lang of ['ar', 'en'] as const)
      for (const value of values) {
        const { body, ...asked } = withDate(sent, field, value)
        const headers = { 'accept-language': lang }
        const answer = await person.send(endpoint.method, addressWith(endpoint, asked), { body, headers })
        const problems = problemsOf(endpoint, answer, lang)
        const words = answer.refusal?.details?.fields?.[field.path.join('.')]
        const status = { params: 404, query: 400, body: 422 }[field.place]
        if (isRefused && (answer.status !== status || (field.place !== 'params' && !words)))
          problems.push('not refused')
        // Another rule, for example against past days, can reject a valid date.
        const isOutside = refusedBy.some((key) => words === translatorFor(lang)(key))
        if (!isRefused && isOutside) problems.push(`refused: ${words}`)
        for (const problem of problems) found.push(`${value}: ${problem} (${answer.status})`)
      }
    return found
  }
  it('are tested in every field with the name of a date', () => {
    // `opensAt` and `closesAt` are times of a day.
    const named = /^(at|date|day|since|until)$|((?<!opens|closes)At|From|Before|Since|Until|Date|Day)$|^(first|last)To$/
    const found: readonly string[] = dateFields.map(([name]) => name)
    expect(
      endpoints
        .flatMap((endpoint) =>
          fieldsOf(endpoint)
            .filter(({ path }) => named.test(path.at(-1) ?? ''))
            .map(({ path }) => `${keyOf(endpoint)} ${path.join('.')}`),
        )
        .filter((name) => !found.includes(name)),
    ).toEqual([])
    expect(found.length).toBeGreaterThan(35)
  })
  it.each(sample(dateFields, SHARE))(
    '%s refuses dates outside of 2000 to 2100 and invalid dates',
    async (_, endpoint, field) => {
      expect(await answersTo(endpoint, field, field.kind === 'day' ? edgeDays : edgeInstants, true)).toEqual([])
    },
  )
  it.each(sample(dateFields, SHARE))('%s accepts the first and the last date', async (_, endpoint, field) => {
    expect(await answersTo(endpoint, field, field.kind === 'day' ? borderDays : borderInstants, false)).toEqual([])
  })
})

describe('the check of responses', () => {
  const [endpoint] = endpoints.filter(({ path }) => path === '/api/cart')
  const judge = (status: number, body: unknown, lang: 'ar' | 'en' = 'ar') =>
    endpoint && problemsOf(endpoint, { status, body, refusal: body as ErrorResponse, headers: {} }, lang)
  const message = 'Some fields are not valid'

  it('detects forbidden responses', () => {
    expect(judge(500, { code: 'INTERNAL', message: 'Something went wrong', details: {} })).toHaveLength(1)
    expect(judge(404, { code: 'NOT_FOUND', message: 'relation "x" does not exist', details: {} })).toHaveLength(2)
    expect(judge(404, { error: 'Not Found' })).toHaveLength(2)
    expect(judge(200, { id: 'x' })).toHaveLength(1)
    expect(judge(422, { code: 'INVALID_BODY', message, details: { fields: { a: 'wrong' } } })).toHaveLength(1)
    expect(
      judge(422, { code: 'INVALID_BODY', message, details: { fields: { a: 'validation.x' } } }, 'en'),
    ).toHaveLength(1)
    expect(judge(429, { code: 'TOO_MANY_REQUESTS', message: errors.TOO_MANY_REQUESTS[1], details: {} })).toHaveLength(1)
  })

  it('accepts valid responses', () => {
    expect(judge(404, { code: 'NOT_FOUND', message: 'Not found', details: {} })).toEqual([])
    expect(judge(422, { code: 'INVALID_BODY', message, details: { fields: { a: 'wrong' } } }, 'en')).toEqual([])
  })
})

afterAll(async () => {
  const [left] = await shop.query<{ orders: number }>('select count(*)::int as orders from orders')
  if (!left?.orders) throw new Error('The orders are gone')
})
