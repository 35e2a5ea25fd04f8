import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import inArabic from '@qatra/contract/messages/admin-jobs.ar.json' with { type: 'json' }
import inEnglish from '@qatra/contract/messages/admin-jobs.en.json' with { type: 'json' }
import { discardJobs, listFailedJobs, listQueues, retryJobs } from '@qatra/contract/queues'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQueue, deadLetterQueue, type Queue } from '../jobs/queue.ts'
import { queues, sent } from '../jobs/queues.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import type { Visitor } from '../test/visitor.ts'
import { payloadOf, reasonOf } from './mask.ts'

let shop: TestShop
let admin: Visitor
/** Queues of the test besides those of the shop; the last two are of earlier versions. */
const list = {
  brittle: { sent: sent<{ n: number; [secret: string]: unknown }>() },
  slow: { sent: sent<object>() },
  'edit-news': { sent: sent<object>() },
  'old-carts': { every: '20 3 * * *' },
} as const
let worker: Queue<typeof list>
let isBroken = true
const worked: number[] = []
const { promise: released, resolve: release } = Promise.withResolvers<void>()

beforeAll(async () => {
  shop = await startShop()
  admin = await shop.visitor().signInAs('+97336000001')
  worker = createQueue(list, shop.databaseUrl, pino({ level: 'silent' }), { pollSeconds: 0.2 })
  worker.handle('brittle', { retryLimit: 0 }, async ({ data }) => {
    if (isBroken) throw Object.assign(new Error('The line to +97333445566 is dead'), { code: 'ECONNRESET' })
    worked.push(data.n)
  })
  worker.handle('slow', { concurrency: 1 }, () => released)
  await worker.start()
})
afterAll(() => worker.stop())

const figuresOf = async (name: string) => (await admin.call(listQueues)).body.queues.find((one) => one.name === name)
const failuresOf = async (queue: string) => (await admin.call(listFailedJobs, { query: { queue, limit: 100 } })).body
const deadLetters = () =>
  shop.query(`select id from pgboss.job where name = $1 and source_name = 'brittle'`, [deadLetterQueue])

/** Creates this number of failed jobs. */
async function fail(numbers: number[], secrets: object = {}) {
  isBroken = true
  const before = (await failuresOf('brittle')).total
  for (const n of numbers) await worker.send('brittle', { n, ...secrets })
  return until('the failures', async () => {
    const { items, total } = await failuresOf('brittle')
    // The page and its total are read by separate queries.
    return total === before + numbers.length && items.length === total && items
  })
}

describe('the queues', () => {
  it('have a name in both languages', async () => {
    for (const words of [inArabic, inEnglish])
      expect(Object.keys(queues).filter((name) => !(`jobs.name.${name}` in words))).toEqual([])
    const { body } = await admin.call(listQueues)
    const shown = body.queues.map(({ name }) => name).filter((name) => !(name in list))
    expect(shown).toContain('send-messages')
    expect(shown.filter((name) => !(name in queues))).toEqual([])
  })

  it('have a worker each', () => {
    const server = join(import.meta.dirname, '..')
    const sources = globSync('**/*.ts', { cwd: server, exclude: ['**/*.test.ts', 'node_modules'] })
    const worked = sources.flatMap((file) =>
      [...readFileSync(join(server, file), 'utf8').matchAll(/queue\.handle(?:Together)?\(\s*'([\w-]+)'/g)].map(
        ([, name]) => name,
      ),
    )
    expect(worked.sort()).toEqual(Object.keys(queues).sort())
  })

  it('are listed with the numbers of waiting, active, failed and completed jobs', async () => {
    expect(await figuresOf('brittle')).toMatchObject({ depth: 0, failed: 0, oldestSeconds: null })
    for (let n = 0; n < 3; n += 1) await worker.send('slow', {})
    await worker.send('slow', {}, { startAfterSeconds: 3_600 })
    const busy = await until('the first at work', async () => {
      const figures = await figuresOf('slow')
      return figures?.active === 1 && figures
    })
    expect(busy).toMatchObject({ depth: 4, waiting: 2, later: 1, active: 1 })
    expect(busy.oldestSeconds).toBeGreaterThanOrEqual(0)
    release()
    const idle = await until('the end', async () => {
      const figures = await figuresOf('slow')
      return figures?.doneLastHour === 3 && figures
    })
    expect(idle).toMatchObject({ depth: 1, waiting: 0, later: 1, active: 0, oldestSeconds: null })
    expect(Date.parse(idle.lastDoneAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('of earlier versions are deleted at the next start, with their cron lines', async () => {
    worker.handle('old-carts', {}, () => Promise.resolve())
    await worker.start()
    expect(await figuresOf('old-carts')).toMatchObject({ depth: 0 })
    await worker.start()
    expect(await figuresOf('old-carts')).toBeUndefined()
    expect(await shop.query(`select from pgboss.schedule where name = 'old-carts'`)).toEqual([])
  })

  it('of earlier versions whose jobs are moved are listed while they have some', async () => {
    worker.handle('edit-news', {}, () => Promise.resolve())
    await worker.start()
    expect(await figuresOf('edit-news')).toBeUndefined()
    await shop.query(`insert into pgboss.job (name, state, policy) values ('edit-news', 'failed', 'standard')`)
    expect(await figuresOf('edit-news')).toMatchObject({ depth: 0, failed: 1 })
    await shop.query(`delete from pgboss.job where name = 'edit-news'`)
  })

  it('exclude dead letters and internal queues', async () => {
    const { body } = await admin.call(listQueues)
    const names = body.queues.map(({ name }) => name)
    expect(names).toContain('send-code')
    expect(names.filter((name) => name === deadLetterQueue || name.startsWith('__'))).toEqual([])
  })
})

describe('failed jobs', () => {
  it('show the reason and the payload without personal data', async () => {
    const secrets = { phone: '+97333445566', sealed: 'abc', token: 'abc', note: 'Canary House 77', local: 33445566 }
    const [job] = await fail([1], secrets)
    expect(job).toMatchObject({
      queue: 'brittle',
      tries: 1,
      reason: { type: 'Error', code: 'ECONNRESET', message: 'The line to +973****5566 is dead' },
    })
    expect(job?.payload.find(({ name }) => name === 'n')?.value).toBe('1')
    expect(JSON.stringify(job)).not.toMatch(/33445566|Canary|abc/)
    await admin.call(discardJobs, { body: { queue: 'brittle' } })
  })

  it('are retried singly or all at once, with dead letters removed and an audit entry', async () => {
    const jobs = await fail([10, 11, 12])
    const chosen = jobs.find(({ payload }) => payload.some(({ value }) => value === '11'))
    expect(await deadLetters()).toHaveLength(3)
    isBroken = false
    const one = await admin.call(retryJobs, { body: { queue: 'brittle', ids: [chosen?.id ?? ''] } })
    expect([one.status, one.body]).toEqual([200, { changed: 1 }])
    await until('one', async () => worked.includes(11))
    expect(worked).toEqual([11])
    expect(await deadLetters()).toHaveLength(2)
    const rest = await admin.call(retryJobs, { body: { queue: 'brittle' } })
    expect(rest.body).toEqual({ changed: 2 })
    await until('all to be completed', async () => (await figuresOf('brittle'))?.doneLastHour === 3)
    expect([...worked].sort()).toEqual([10, 11, 12])
    expect(await figuresOf('brittle')).toMatchObject({ failed: 0 })
    const lines = await shop.query(
      `select action, resource_id, new_values->>'count' as count from audit_log where resource = 'job' order by id desc limit 2`,
    )
    expect(lines).toEqual([
      { action: 'retried', resource_id: 'brittle', count: '2' },
      { action: 'retried', resource_id: 'brittle', count: '1' },
    ])
  })

  it('are retried once under concurrent requests', async () => {
    worked.length = 0
    await fail(Array.from({ length: 8 }, (_, n) => n))
    isBroken = false
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.call(retryJobs, { body: { queue: 'brittle' } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.reduce((sum, { body }) => sum + body.changed, 0)).toBe(8)
    await until('all', async () => worked.length >= 8)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect([...worked].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('are listed again when the retry fails', async () => {
    const [job] = await fail([20])
    await admin.call(retryJobs, { body: { queue: 'brittle' } })
    const [again] = await until('the second failure', async () => {
      const { items } = await failuresOf('brittle')
      return items[0] && items[0].tries > 1 && items
    })
    expect(again).toMatchObject({ id: job?.id, tries: 2 })
    await admin.call(discardJobs, { body: { queue: 'brittle' } })
  })

  it('are discarded without affecting waiting and active jobs', async () => {
    const jobs = await fail([30, 31])
    await worker.send('brittle', { n: 99 }, { startAfterSeconds: 3_600 })
    const [waiting] = await shop.query<{ id: string }>(
      `select id from pgboss.job where name = 'brittle' and state = 'created'`,
    )
    const ids = [...jobs.map(({ id }) => id), waiting?.id ?? '']
    const { body } = await admin.call(discardJobs, { body: { queue: 'brittle', ids } })
    expect(body).toEqual({ changed: 2 })
    expect(await deadLetters()).toEqual([])
    expect(await figuresOf('brittle')).toMatchObject({ failed: 0, later: 1 })
    expect((await admin.call(discardJobs, { body: { queue: 'brittle', ids } })).body).toEqual({ changed: 0 })
  })

  it('return QUEUE_NOT_FOUND for the dead-letter queue and unknown queues', async () => {
    for (const queue of [deadLetterQueue, 'nowhere']) {
      for (const endpoint of [retryJobs, discardJobs])
        expect((await admin.call(endpoint, { body: { queue } })).refusal.code).toBe('QUEUE_NOT_FOUND')
    }
  })
})

describe('masking', () => {
  it.each([
    [{ message: 'mail to a.b@example.com' }, 'mail to •••'],
    [{ message: 'token dGhpcyBpcyBhIHRva2VuIG9mIHNvbWU' }, 'token •••'],
    [{ message: 'call 33445566 now' }, 'call ••• now'],
    [{ value: { message: 'job timed out' } }, 'job timed out'],
    [{ value: 'handler stopped' }, 'handler stopped'],
    ['text', ''],
    [null, ''],
    [{ message: { deep: 1 } }, ''],
    [{ message: 'x '.repeat(5_000) }, 'x '.repeat(150)],
  ])('removes personal data from the reason %j', (output, message) => {
    expect(reasonOf(output).message).toBe(message)
  })

  it('removes personal data from the payload', () => {
    expect(
      payloadOf({
        id: 'ARSVWYESJBMBATYK',
        to: 'shipped',
        n: 5,
        ok: true,
        none: null,
        text: 'two words',
        code: 7,
        o: {},
      }),
    ).toEqual([
      { name: 'id', value: 'ARSVWYESJBMBATYK' },
      { name: 'to', value: 'shipped' },
      { name: 'n', value: '5' },
      { name: 'ok', value: 'true' },
      { name: 'none', value: 'null' },
      { name: 'text', value: '•••' },
      { name: 'code', value: '•••' },
      { name: 'o', value: '•••' },
    ])
    for (const odd of [null, 'text', 5, [1, 2]]) expect(payloadOf(odd)).toEqual([])
    expect(payloadOf({ '+97333445566': 1 })).toEqual([{ name: '•••', value: '1' }])
  })
})
