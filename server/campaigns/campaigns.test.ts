import { verifyLink } from '@qatra/contract/links/links'
import { previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import * as sends from '@qatra/contract/whatsapp/campaigns/sends'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { setOptOut } from '../conversations/contacts.commands.ts'
import { optWordIn } from '../conversations/opt-out-words.ts'
import { inTransaction, runJobTransaction } from '../database/transaction.ts'
import type { MessageGateway, OutboundMessage, Outcome } from '../providers/provider.ts'
import { startShop } from '../test/app.ts'
import { inbox, newPhone, until } from '../test/fixtures/codes.ts'
import { makeUser } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'
import { quietUntil } from './hours.ts'
import { sendNext, workOn } from './jobs.ts'
import { claimNextSend } from './sending.commands.ts'
import { settle } from './settling.commands.ts'
import { findNextTry, sweepCampaigns } from './sweeping.commands.ts'

const shop = await startShop({ databasePoolSize: 10, hasBot: false })
let boss: Visitor
beforeAll(async () => {
  boss = await shop.visitor().signInAs('+97336000001')
})

const plain = { name: 'Reminder', templateName: 'water_reminder', language: 'ar' } as const
/** Declaration that the people of a list agreed. */
const agreed = { consentSource: 'Form at the counter' }
const phones = (count: number) => Array.from({ length: count }, newPhone)
const listOf = (all: readonly string[]) => all.map((phone) => ({ phone }))
async function create(body: object) {
  return boss.call(api.createCampaign, { body: { ...plain, ...agreed, ...body } as never })
}
const act = (which: keyof typeof acts, id: string) => boss.call(acts[which], { params: { id } })
const acts = {
  start: api.startCampaign,
  pause: api.pauseCampaign,
  resume: api.resumeCampaign,
  cancel: api.cancelCampaign,
} as const
const get = async (id: string) => (await boss.call(api.getCampaign, { params: { id } })).body
/** A running campaign without jobs; the test does the work. */
async function running(all: readonly string[], more: object = {}) {
  const { body } = await create({ recipients: listOf(all), ...more })
  await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [body.id])
  return body.id
}
async function settled(id: string) {
  return until('the end', async () => {
    const campaign = await get(id)
    const { pending, sending, sent } = campaign.counts
    return campaign.status === 'completed' && (pending ?? 0) + (sending ?? 0) + (sent ?? 0) === 0 ? campaign : null
  })
}
const sum = (counts: Record<string, number | undefined>) =>
  Object.values(counts).reduce<number>((all, n) => all + (n ?? 0), 0)

describe('a campaign', () => {
  it('excludes invalid and opted-out numbers, reports the reasons, and sends to all others', async () => {
    const good = phones(3)
    const [out] = phones(1)
    await shop.query('insert into contacts (phone, opted_out_at) values ($1, now())', [out])
    const staff = await makeUser(shop, { role: 'driver', vendorId: 1 })
    const written = [
      ...listOf(good),
      { phone: '12' },
      { phone: 'x' },
      ...listOf(good.slice(0, 1)),
      { phone: out ?? '' },
    ]
    const body = { ...plain, ...agreed, recipients: [...written, { phone: staff.phone }] }
    const preview = await boss.call(previewCampaign, { body })
    expect(preview.body).toMatchObject({ count: 4, exclusions: { malformed: 2, repeated: 1, 'opted-out': 1 } })
    const made = await boss.call(api.createCampaign, { body })
    expect(made.body).toMatchObject({ status: 'draft', totalRecipients: 4, exclusions: { malformed: 2, repeated: 1 } })
    const started = await act('start', made.body.id)
    expect(started.body.status).toBe('running')
    const end = await settled(made.body.id)
    expect(end).toMatchObject({ successfulSends: 4, failedSends: 0, totalRecipients: 4 })
    for (const phone of good) expect(await inbox(shop, phone)).toHaveLength(1)
    expect(await inbox(shop, out ?? '')).toHaveLength(0)
  })

  it('counts failures and missing receipts, and its counts equal its rows', async () => {
    const all = ['+97333449990', '+97333449991', '+97333449992', ...phones(4)]
    const { body } = await create({ recipients: listOf(all) })
    await act('start', body.id)
    const end = await until('the receipts', async () => {
      const { counts } = await get(body.id)
      return counts.delivered === 4 && counts.read === 1 ? get(body.id) : null
    })
    expect(end.counts).toMatchObject({ failed: 1, sent: 1, delivered: 4, read: 1 })
    expect(sum(end.counts)).toBe(end.totalRecipients)
    const { body: failed } = await boss.call(sends.listSends, { params: { id: body.id }, query: { status: 'failed' } })
    expect(failed.items).toMatchObject([{ phone: '+97333449990', errorCode: '131026' }])
    const [row] = await shop.query(
      'select total_recipients t, successful_sends s from template_campaigns where id = $1',
      [body.id],
    )
    await until('the totals', async () => row?.t === 7)
  })

  it('is refused if a value is missing, with the variable and the recipients', async () => {
    const [one, two] = phones(2)
    const offer = { templateName: 'weekly_offer', language: 'en', globalVariables: { 2: 'half price' } }
    const recipients = [{ phone: one ?? '', variables: { 1: 'Noor' } }, { phone: two ?? '' }]
    const refused = await create({ ...offer, recipients })
    expect(refused).toMatchObject({ status: 422, refusal: { code: 'CAMPAIGN_VARIABLES_MISSING' } })
    expect(refused.refusal.details.variables).toEqual([{ variable: '1', count: 1, phones: [two] }])
    const named = await create({ ...offer, globalVariables: { 1: '{name}', 2: 'half price' }, recipients })
    expect(named.status).toBe(200)
    expect((await create({ templateName: 'summer_sale', recipients })).refusal.code).toBe('TEMPLATE_NOT_AVAILABLE')
    expect((await create({ name: 'x'.repeat(256), recipients })).status).toBe(422)
    expect((await create({ language: 'x'.repeat(11), recipients })).status).toBe(422)
    const { body: empty } = await create({ recipients: [{ phone: 'nobody' }] })
    expect((await act('start', empty.id)).refusal.code).toBe('CAMPAIGN_EMPTY')
  })

  it('includes a personal link that signs in, and only opening that link counts as a click', async () => {
    const [phone = ''] = phones(1)
    const { body } = await create({
      templateName: 'order_again',
      language: 'en',
      hasLinks: true,
      linkRedirectUrl: '/products',
      globalVariables: { 1: '{name}' },
      recipients: listOf([phone]),
    })
    await act('start', body.id)
    await settled(body.id)
    const [message] = await inbox(shop, phone)
    const token = message?.parts?.buttons?.[0]?.value ?? ''
    expect(token.length).toBeGreaterThan(20)
    const dump = await shop.query<{ all: string }>(
      `select (select json_agg(s)::text from template_sends s) || (select json_agg(m)::text from whatsapp_messages m) ||
         (select json_agg(l)::text from magic_links l) as all`,
    )
    expect(dump[0]?.all).not.toContain(token)
    await shop.visitor().send('GET', `/magic-login/${token}`, { headers: { 'user-agent': 'WhatsApp/2.23' } })
    await shop.visitor().send('GET', `/api/magic-link/status/${token}`)
    expect((await get(body.id)).clicked).toBe(0)
    const opened = await shop.visitor().call(verifyLink, { params: { token } })
    expect(opened.body).toMatchObject({ success: true, redirectUrl: '/products' })
    await until('the click', async () => (await get(body.id)).clicked === 1)
  })

  it('has no next try while no message waits for one', async () => {
    expect(await findNextTry(shop.app, await running(phones(1)))).toBeNull()
  })
})

describe('the stream of a campaign', () => {
  it('announces each change, also those that follow within a moment', async () => {
    const { body } = await create({ recipients: listOf(phones(1)) })
    const announced = async () =>
      (await shop.query('select id from notifications where source like $1', [`campaign:${body.id}:%`])).length
    for (let changes = 1; changes <= 6; changes += 1) {
      await until(`announcement ${changes}`, async () => (await announced()) === changes)
      const { version } = await get(body.id)
      await boss.call(api.changeCampaign, { params: { id: body.id }, body: { name: `Reminder ${changes}`, version } })
    }
  })
})

describe('parallel actions', () => {
  it('start a campaign once, and each recipient gets one message', async () => {
    const all = phones(5)
    const { body } = await create({ recipients: listOf(all) })
    const answers = await Promise.all(Array.from({ length: 4 }, () => act('start', body.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    await settled(body.id)
    for (const phone of all) expect(await inbox(shop, phone)).toHaveLength(1)
  })

  it('leave a consistent final status and a status for every send', async () => {
    const all = phones(30)
    const { body } = await create({ recipients: listOf(all) })
    await act('start', body.id)
    await Promise.all([act('pause', body.id), act('cancel', body.id), act('resume', body.id)])
    const end = await until('rest', async () => {
      const campaign = await get(body.id)
      return (campaign.counts.sending ?? 0) + (campaign.counts.pending ?? 0) === 0 ? campaign : null
    })
    expect(['cancelled', 'completed']).toContain(end.status)
    expect(sum(end.counts)).toBe(30)
  })

  it('pause takes effect at once: no call starts after the response', async () => {
    const id = await running(phones(40))
    const calls: number[] = []
    const gateway = fake(async () => void calls.push(performance.now()))
    const work = workOn(shop.app, gateway, id, { perSecond: 10 })
    await until('some', async () => calls.length > 3)
    expect((await act('pause', id)).body.status).toBe('paused')
    // Calls that started before the response can still be in progress.
    const { counts } = await get(id)
    const most = 40 - (counts.pending ?? 0)
    await work
    expect(calls.length).toBeLessThanOrEqual(most)
    expect((await get(id)).counts.pending).toBe(40 - most)
  })
})

let ids = 0
function fake(before: (outbound: OutboundMessage) => Promise<Outcome | void>): MessageGateway {
  return {
    hasWindow: true,
    markRead: async () => {},
    send: async (outbound) => (await before(outbound)) ?? { ok: true, messageId: `wamid.fake.${(ids += 1)}` },
  }
}

describe('the provider', () => {
  it('is busy: the message is retried, and nothing is sent twice', async () => {
    const [phone = ''] = phones(1)
    const id = await running([phone])
    let calls = 0
    const gateway = fake(async () => {
      calls += 1
      return calls < 3
        ? { ok: false, kind: 'busy', error: { code: '130429', text: 'Rate limit' }, retryAfter: 1 }
        : undefined
    })
    for (let n = 0; n < 5; n += 1) {
      await sendNext(shop.app, gateway, id)
      await shop.query('update template_sends set retry_at = now() where campaign_id = $1', [id])
    }
    expect(calls).toBe(3)
    expect((await get(id)).counts).toMatchObject({ sent: 1 })
  })

  it('stops sending: the campaign pauses with the reason and can be resumed', async () => {
    const id = await running(phones(3))
    await sendNext(
      shop.app,
      fake(async () => ({ ok: false, kind: 'stopped', error: { code: '190', text: 'Token' } })),
      id,
    )
    expect(await get(id)).toMatchObject({ status: 'paused', statusReason: '190: Token', counts: { pending: 3 } })
    await act('resume', id)
    expect((await settled(id)).successfulSends).toBe(3)
  })
})

describe('a recipient who opts out', () => {
  it('after the campaign started gets no message', async () => {
    const [phone = ''] = phones(1)
    const id = await running([phone])
    await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body: 'إيقاف' } })
    await until(
      'the word',
      async () =>
        (await shop.query('select from contacts where phone = $1 and opted_out_at is not null', [phone])).length,
    )
    let calls = 0
    await sendNext(
      shop.app,
      fake(async () => void (calls += 1)),
      id,
    )
    expect(calls).toBe(0)
    expect((await get(id)).counts.skipped).toBe(1)
    const sent = await until('the answer', async () => {
      const all = (await inbox(shop, phone)).filter(({ direction }) => direction === 'outgoing')
      return all.length > 0 ? all : null
    })
    expect(sent).toHaveLength(1)
    await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body: 'STOP' } })
    await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body: 'استئناف العروض' } })
    await until(
      'back',
      async () => (await shop.query('select from contacts where phone = $1 and opted_out_at is null', [phone])).length,
    )
  })

  it('before the send is claimed gets no message, also with concurrent workers', async () => {
    const all = phones(12)
    const id = await running(all)
    let calls = 0
    const said = new Set<string>()
    await Promise.all([
      ...all.map(() =>
        sendNext(
          shop.app,
          fake(async ({ to }) => void (said.has(to.phone ?? '') ? (calls += 1) : 0)),
          id,
        ),
      ),
      ...all.map(async (phone) => {
        await shop.query('insert into contacts (phone) values ($1) on conflict do nothing', [phone])
        const [row] = await shop.query<{ id: number }>('select id from contacts where phone = $1', [phone])
        await runJobTransaction(shop.app.pool, (ctx) =>
          setOptOut(ctx, row?.id ?? 0, { isOut: true, source: 'provider' }),
        )
      }),
    ])
    expect(calls).toBe(0)
    const rows = await shop.query<{ n: number }>(
      `select count(*)::int as n from template_sends s join contacts c on c.id = s.contact_id
       where s.campaign_id = $1 and s.status = 'sent' and c.opted_out_at < s.claimed_at`,
      [id],
    )
    expect(rows[0]?.n).toBe(0)
  })

  it('is recognized only by a message that consists of the keyword', () => {
    for (const text of ['STOP', ' stop. ', 'إيقاف', 'ايقاف', 'إلغاء الاشتراك', 'الغاء الإشتراك!'])
      expect([text, optWordIn(text)]).toEqual([text, 'stop'])
    for (const text of ['START', 'استئناف العروض', 'تفعيل العروض', 'اشتراك', 'subscribe'])
      expect([text, optWordIn(text)]).toEqual([text, 'start'])
    for (const text of ['do not stop', 'لا توقف التوصيل', 'bus stop 12', '', 'menu', 'الاشتراك'])
      expect([text, optWordIn(text)]).toEqual([text, null])
  })
})

/** A worker that can stop after the claim or after the call. */
async function mortal(id: string, worker: string, calls: Map<string, number>, dies: () => 'before' | 'after' | null) {
  for (;;) {
    const claim = await runJobTransaction(shop.app.pool, (ctx) => claimNextSend(ctx, shop.app.config, id, worker))
    if (claim.kind === 'none') return 'done'
    if (claim.kind !== 'message') continue
    const death = dies()
    if (death === 'before') return 'dead'
    const phone = claim.outbound.to.phone ?? ''
    calls.set(phone, (calls.get(phone) ?? 0) + 1)
    if (death === 'after') return 'dead'
    const outcome: Outcome = { ok: true, messageId: `wamid.mortal.${(ids += 1)}` }
    await runJobTransaction(shop.app.pool, (ctx) => settle(ctx, claim.sendId, claim.outbound, outcome))
  }
}

describe('killed workers', () => {
  it('send nothing twice and lose nothing silently', async () => {
    const all = phones(150)
    const id = await running(all)
    const calls = new Map<string, number>()
    let kills = 0
    const dies = () => {
      const chance = Math.random()
      if (chance > 0.15) return null
      kills += 1
      return chance < 0.07 ? 'before' : 'after'
    }
    const lane = async (name: string) => {
      for (let life = 0; ; life += 1) {
        if ((await mortal(id, `${name}${life}`, calls, dies)) === 'done') return
      }
    }
    await Promise.all([lane('a'), lane('b')])
    await shop.query(`update template_sends set claimed_at = now() - interval '3 minutes' where status = 'sending'`)
    await runJobTransaction(shop.app.pool, (ctx) => sweepCampaigns(ctx))
    const end = await get(id)
    expect(Math.max(...calls.values())).toBe(1)
    expect(end.counts).toMatchObject({ pending: 0, sending: 0, unknown: kills, sent: 150 - kills })
    expect(end.status).toBe('completed')
    expect(kills).toBeGreaterThan(0)
  })

  it('mutant: a call within the transaction is repeated if its worker dies', async () => {
    const all = phones(40)
    const id = await running(all)
    const calls = new Map<string, number>()
    let n = 0
    for (;;) {
      const left = await inTransaction(
        shop.app.pool,
        async (db) => {
          const claim = await claimNextSend({ db, afterCommit: () => {} }, shop.app.config, id, 'naive')
          if (claim.kind !== 'message') return claim.kind
          const phone = claim.outbound.to.phone ?? ''
          calls.set(phone, (calls.get(phone) ?? 0) + 1)
          if ((n += 1) % 5 === 0) throw new Error('killed')
          await settle({ db, afterCommit: () => {} }, claim.sendId, claim.outbound, {
            ok: true,
            messageId: `wamid.n.${(ids += 1)}`,
          })
          return 'message'
        },
        1,
      ).catch(() => 'killed')
      if (left === 'none') break
    }
    expect(Math.max(...calls.values())).toBeGreaterThan(1)
  })
})

describe('quiet hours', () => {
  const night = { from: '21:00', to: '09:00' }
  it.each([
    ['2026-11-21T10:00:00Z', null],
    ['2026-11-21T18:00:00Z', '2026-11-22T06:00:00.000Z'],
    ['2026-11-21T23:00:00Z', '2026-11-22T06:00:00.000Z'],
    ['2026-11-22T05:59:00Z', '2026-11-22T06:00:00.000Z'],
    ['2026-11-22T06:00:00Z', null],
  ])('at %s end at %s', (at, until) => expect(quietUntil(night, new Date(at))?.toISOString() ?? null).toBe(until))
})
