import { verifyPhone } from '@qatra/contract/users/auth'
import type { QueryResultRow } from 'pg'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { failed, type Outcome } from '../providers/provider.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { alarmsOf, askForCode, codeIn, inbox, newPhone, tryCode, until } from '../test/fixtures/codes.ts'
import { queuesAreEmpty, runDelayedJobs } from '../test/jobs.ts'
import { applyReceipt, claimMessage, recordOutcome } from './commands.ts'
import { deliverByFirst } from './delivering.jobs.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

interface Kept extends QueryResultRow {
  channel: string
  status: string
  content: string
  message_id: string | null
  errors: { code: string }[]
}
const kept = (phone: string, of = shop) =>
  of.query<Kept>('select * from whatsapp_messages where to_number = $1 order by id', [phone])
const halfAMinutePasses = (of = shop) => runDelayedJobs(of, 'code-fallback')
const ask = (phone: string, of = shop) => of.visitor().call(verifyPhone, { body: { phone } })

describe('delivery of a login code', () => {
  it('sends by WhatsApp and stores the receipt', async () => {
    const phone = newPhone()
    await askForCode(shop, shop.visitor(), phone)
    await until('the receipt', async () => (await kept(phone)).every(({ status }) => status === 'delivered'))
    expect(await kept(phone)).toMatchObject([{ channel: 'whatsapp' }])
  })

  it('sends no SMS after a receipt', async () => {
    const phone = newPhone()
    await askForCode(shop, shop.visitor(), phone)
    await until('the receipt', async () => (await kept(phone))[0]?.status === 'delivered')
    await halfAMinutePasses()
    expect(await kept(phone)).toHaveLength(1)
  })

  it('sends an SMS at once if WhatsApp fails', async () => {
    const phone = '+97333009990'
    await ask(phone)
    const message = await until('the SMS', async () => (await inbox(shop, phone))[0])
    expect(message).toMatchObject({ channel: 'sms', to: phone })
    await until('the receipt', async () => (await kept(phone))[1]?.status === 'delivered')
    expect(await kept(phone)).toMatchObject([
      { channel: 'whatsapp', status: 'failed', message_id: null, errors: [{ code: '131026', kind: 'undeliverable' }] },
      { channel: 'sms', status: 'delivered' },
    ])
    expect((await tryCode(shop.visitor(), phone, codeIn(message))).status).toBe(200)
    await halfAMinutePasses()
    expect(await kept(phone)).toHaveLength(2)
  })

  it('sends one SMS if no receipt arrives within 30 seconds', async () => {
    const phone = '+97333009991'
    await ask(phone)
    await until('the message', async () => (await kept(phone))[0]?.status === 'sent')
    const [waiting] = await shop.query<{ seconds: number }>(
      `select extract(epoch from start_after - created_on)::int as seconds from pgboss.job
       where name = 'code-fallback' order by created_on desc limit 1`,
    )
    expect(waiting?.seconds).toBe(30)
    await halfAMinutePasses()
    await until('the SMS', async () => (await inbox(shop, phone)).length === 2)
    const [sms, whatsapp] = await inbox(shop, phone)
    expect([sms?.channel, whatsapp?.channel]).toEqual(['sms', 'whatsapp'])
    expect(sms && whatsapp && codeIn(sms) === codeIn(whatsapp)).toBe(true)
    expect(whatsapp?.status).toBe('sent')
  })

  it('never sends an SMS to numbers outside of Bahrain', async () => {
    const phone = '+966501239990'
    await ask(phone)
    await until('the failure', async () => (await kept(phone))[0]?.status === 'failed')
    await queuesAreEmpty(shop, 'send-code')
    await halfAMinutePasses()
    expect(await inbox(shop, phone)).toEqual([])
    expect(await kept(phone)).toHaveLength(1)
  })

  it('sends no SMS after the code was used or replaced', async () => {
    const phone = '+97333119991'
    const visitor = shop.visitor()
    await tryCode(visitor, phone, await askForCode(shop, visitor, phone))
    await halfAMinutePasses()
    expect(await kept(phone)).toHaveLength(1)
  })

  it('sends a code once, even if the job runs several times', async () => {
    const phone = newPhone()
    await askForCode(shop, shop.visitor(), phone)
    const copy = `insert into pgboss.job (name, data) select name, data from pgboss.job
      where name = 'send-code' order by created_on desc limit 1 returning data`
    for (let n = 0; n < 5; n++) await shop.query(copy)
    await queuesAreEmpty(shop, 'send-code')
    expect(await inbox(shop, phone)).toHaveLength(1)
    expect(await kept(phone)).toHaveLength(1)
  })

  it('sends a code to each of 25 phones that ask at once', async () => {
    const crowd = await startShop()
    const phones = Array.from({ length: 25 }, newPhone)
    // Those that wait too long for a connection are refused, and are sent again.
    const accepted = (phone: string) => async () => (await ask(phone, crowd)).status === 200
    await Promise.all(phones.map((phone) => until('the acceptance', accepted(phone))))
    await until('all codes', async () => {
      const [row] = await crowd.query<{ reached: number }>(
        `select count(distinct phone)::int as reached from simulated_messages where direction = 'outgoing'`,
      )
      return row?.reached === phones.length
    })
  })

  it('rolls back with the request: a rejected request sends nothing', async () => {
    const limited = await startShop({ rateLimits: true })
    const phone = newPhone()
    await askForCode(limited, limited.visitor(), phone)
    expect((await ask(phone, limited)).status).toBe(429)
    const jobs = await limited.query(`select id from pgboss.job where name = 'send-code'`)
    expect(jobs).toHaveLength(1)
  })

  it('stops SMS to unknown phones if hardly any code is used', async () => {
    const pumped = await startShop({ rateLimits: true })
    await pumped.query(
      `insert into login_codes (phone, code_hash, digits, language, replaced_at, expires_at, created_at)
       select '+97333' || n, 'x', 4, 'ar', now(), now(), now() - interval '2 hours' from generate_series(1, 50) n`,
    )
    const phone = '+97333229990'
    await ask(phone, pumped)
    await until('the failure', async () => (await kept(phone, pumped))[0]?.status === 'failed')
    await halfAMinutePasses(pumped)
    expect(await inbox(pumped, phone)).toEqual([])
    expect(await alarmsOf('codes-unused')).toBeGreaterThan(0)
  })
})

describe('a message by the first channel that accepts it', () => {
  const phone = newPhone()
  const calls: string[] = []
  const by = (dedupeKey: string, channel: 'whatsapp' | 'sms', outcome: Outcome) => () => ({
    message: { dedupeKey: `${dedupeKey}:${channel}`, to: phone, channel, type: 'text', content: 'x' },
    call: () => {
      calls.push(`${dedupeKey} ${channel}`)
      return Promise.resolve(outcome)
    },
  })
  const [busy, refused, unknown] = [
    failed('busy', '1', 'x'),
    failed('undeliverable', '2', 'x'),
    failed('unknown', '3', 'x'),
  ]

  it('goes on after a refusal when the job runs again, and repeats only what a busy provider did not take', async () => {
    const first = by('chain', 'whatsapp', refused)
    await expect(deliverByFirst(shop.app, [first, by('chain', 'sms', busy)])).rejects.toThrow('busy')
    expect(await deliverByFirst(shop.app, [first, by('chain', 'sms', { ok: true, messageId: 'chain' })])).toBe(true)
    expect(await deliverByFirst(shop.app, [first, by('chain', 'sms', busy)])).toBe(true)
    expect(calls).toEqual(['chain whatsapp', 'chain sms', 'chain sms'])
  })

  it('is not repeated after an unknown outcome', async () => {
    const lost = by('lost', 'whatsapp', unknown)
    expect(await deliverByFirst(shop.app, [lost, () => null])).toBe(false)
    expect(await deliverByFirst(shop.app, [lost, by('lost', 'sms', refused)])).toBe(false)
    expect(calls.filter((one) => one.startsWith('lost'))).toEqual(['lost whatsapp', 'lost sms'])
  })

  it('goes by SMS after an unknown outcome once the SMS provider is no longer busy', async () => {
    const lost = by('later', 'whatsapp', unknown)
    await expect(deliverByFirst(shop.app, [lost, by('later', 'sms', busy)])).rejects.toThrow('busy')
    expect(await deliverByFirst(shop.app, [lost, by('later', 'sms', { ok: true, messageId: 'later' })])).toBe(true)
    expect(calls.filter((one) => one.startsWith('later'))).toEqual(['later whatsapp', 'later sms', 'later sms'])
  })

  it('does not go by a busy WhatsApp later if the SMS may have arrived', async () => {
    expect(await deliverByFirst(shop.app, [by('either', 'whatsapp', busy), by('either', 'sms', unknown)])).toBe(false)
  })
})

describe('the status of a message', () => {
  const permutations = <T>(items: T[]): T[][] =>
    items.length < 2
      ? [items]
      : items.flatMap((item, n) => permutations(items.filter((_, i) => i !== n)).map((rest) => [item, ...rest]))

  it.each([
    [['sent', 'failed'], 'failed'],
    [['sent', 'delivered', 'read'], 'read'],
  ] as const)('of %j in any order, each twice, is the same: %s', async (receipts, last) => {
    for (const [n, order] of permutations([...receipts]).entries()) {
      const messageId = `${receipts.join('.')}.${n}`
      await shop.query(
        `insert into whatsapp_messages (message_id, direction, channel) values ($1, 'outgoing', 'whatsapp')`,
        [messageId],
      )
      for (const status of [...order, ...order]) await applyReceipt(shop.app, { messageId, reference: null, status })
      const rows = await shop.query('select status from whatsapp_messages where message_id = $1', [messageId])
      expect(rows).toEqual([{ status: last }])
    }
  })

  it.each([
    [['sent', 'delivered', 'failed'], 'delivered'],
    [['sent', 'read', 'failed'], 'read'],
    // Another channel may have taken it over by then.
    [['failed', 'delivered'], 'failed'],
  ] as const)('after %j is %s: what was delivered does not fail, and what failed stays so', async (receipts, last) => {
    const messageId = `order.${receipts.join('.')}`
    await shop.query(
      `insert into whatsapp_messages (message_id, direction, channel) values ($1, 'outgoing', 'whatsapp')`,
      [messageId],
    )
    for (const status of receipts) await applyReceipt(shop.app, { messageId, reference: null, status })
    const rows = await shop.query('select status from whatsapp_messages where message_id = $1', [messageId])
    expect(rows).toEqual([{ status: last }])
  })

  it.each([
    ['busy', true],
    ['stopped', true],
    ['template', true],
    ['unknown', false],
    ['undeliverable', false],
  ] as const)('after the outcome «%s» lets it be sent again: %s', async (kind, isAgain) => {
    const message = { dedupeKey: `again:${kind}`, to: newPhone(), channel: 'sms', type: 'text', content: 'x' } as const
    const id = (await claimMessage(shop.app, message)) ?? 0
    expect(await claimMessage(shop.app, message)).toBeNull()
    await recordOutcome(shop.app, id, { ok: false, kind, error: { code: '1', text: 'x' } })
    expect(await claimMessage(shop.app, message)).toBe(isAgain ? id : null)
  })

  it("is stored by our reference if the receipt arrives before the provider's response", async () => {
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (direction, channel) values ('outgoing', 'whatsapp') returning id`,
    )
    const reference = String(row?.id)
    await applyReceipt(shop.app, { messageId: 'wamid.early', reference, status: 'delivered' })
    await applyReceipt(shop.app, { messageId: 'wamid.early', reference, status: 'sent' })
    const rows = await shop.query('select status from whatsapp_messages where message_id = $1', ['wamid.early'])
    expect(rows).toEqual([{ status: 'delivered' }])
  })

  it.each([
    ['campaign', 'campaign-receipts'],
    ['system', 'conversation-notifications'],
  ])('of a %s message is announced to the queue %s alone', async (by, queue) => {
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (message_id, direction, channel, sent_by_type)
       values ($1::text, 'outgoing', 'whatsapp', $1::text) returning id`,
      [by],
    )
    await applyReceipt(shop.app, { messageId: by, reference: null, status: 'sent' })
    const jobs = await shop.query(`select name from pgboss.job where data ->> 'messageId' = $1::text`, [row?.id])
    expect(jobs).toEqual([{ name: queue }])
  })

  it('ignores receipts of unknown messages', async () => {
    await applyReceipt(shop.app, { messageId: 'wamid.foreign', reference: 'x', status: 'read' })
    expect(await shop.query(`select id from whatsapp_messages where message_id = 'wamid.foreign'`)).toEqual([])
  })
})

describe('a login code is not stored in plain text', () => {
  it('in the log, the jobs, the stored messages or any other table', async () => {
    // A log without redaction.
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const traced = await startShop({ rateLimits: true }, { log })
    const phones = ['+97333449990', '+97333459990', '+97333469990']
    // A phone under attack gets six digits.
    await traced.query(
      `insert into login_failures (phone, digits, is_trusted, created_at)
       select unnest($1::text[]), 4, false, now() - interval '30 days' from generate_series(1, 30)`,
      [phones],
    )
    const codes: string[] = []
    for (const phone of phones) {
      await ask(phone, traced)
      const message = await until('the SMS', async () => (await inbox(traced, phone))[0])
      const code = codeIn(message)
      expect(code).toMatch(/^\d{6}$/)
      await tryCode(traced.visitor(), phone, code === '000000' ? '000001' : '000000')
      await tryCode(traced.visitor(), phone, code)
      await until('the receipt', async () => (await kept(phone, traced))[1]?.status === 'delivered')
      codes.push(code)
    }
    // Coordinates and times have digits, too; none of them contain all three codes.
    expect(lines.length).toBeGreaterThan(0)
    expect(codes.every((code) => lines.join().includes(code))).toBe(false)

    const tables = await traced.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    )
    expect(tables.length).toBeGreaterThan(25)
    for (const { name } of tables) {
      const [found] = await traced.query<{ all: boolean }>(
        `select bool_and(exists (select from ${name} t where t::text like '%' || code || '%')) as all
         from unnest($1::text[]) code`,
        [codes],
      )
      expect([name, found?.all]).toEqual([name, false])
    }
    const [sms] = (await kept(phones[0] ?? '', traced)).filter(({ channel }) => channel === 'sms')
    expect(sms?.content).toContain('••••')
  })
})
