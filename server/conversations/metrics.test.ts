import { expect, it } from 'vitest'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { growthOf } from '../test/metrics.ts'
import { claimMessage, recordOutcome } from './commands.ts'
import { sweepSending } from './sending.commands.ts'

const shop = await startShop({ role: 'web' })
const series = (channel: string, status: string) =>
  `qatra_message_statuses_total{channel="${channel}",status="${status}"}`
const claim = async (dedupeKey: string, channel: 'whatsapp' | 'sms') => {
  const id = await claimMessage(shop.app, { dedupeKey, to: '+97333000001', channel, type: 'text', content: 'hello' })
  if (id === null) throw new Error('claimed before')
  return id
}

it('counts each status that a message reaches once, by channel', async () => {
  const id = await claim('metrics:1', 'sms')
  const outcome = { ok: false, kind: 'unknown', error: { code: 'TIMEOUT', text: 'No answer' } } as const
  const growth = await growthOf(shop, [series('sms', 'unknown'), series('whatsapp', 'unknown')], async () => {
    await recordOutcome(shop.app, id, outcome)
    await recordOutcome(shop.app, id, outcome)
  })
  expect(growth).toEqual([1, 0])
})

it('counts a message as unknown whose worker ended while it was sent', async () => {
  const id = await claim('metrics:2', 'whatsapp')
  await shop.query(`update whatsapp_messages set claimed_at = now() - interval '3 minutes' where id = $1`, [id])
  const growth = await growthOf(shop, [series('whatsapp', 'unknown')], () =>
    runJobTransaction(shop.app.pool, sweepSending),
  )
  expect(growth).toEqual([1])
})

it('does not count a status whose transaction was rolled back', async () => {
  const id = await claim('metrics:3', 'whatsapp')
  const growth = await growthOf(shop, [series('whatsapp', 'sent')], async () => {
    const work = runJobTransaction(shop.app.pool, async (ctx) => {
      await recordOutcome(ctx, id, { ok: true, messageId: 'wamid.metrics' })
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
  })
  expect(growth).toEqual([0])
})
