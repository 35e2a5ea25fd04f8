import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { startTelegram } from '../../test/simulators/telegram.ts'
import { telegramOf } from '../gateway.ts'
import { createBackoff, pollUpdates } from './polling.jobs.ts'

const fake = await startTelegram()
const shop = await startShop({
  telegram: {
    token: fake.token,
    apiUrl: fake.apiUrl,
    groupId: null,
    webhookSecret: randomBytes(24).toString('hex'),
    isSimulated: false,
  },
})
afterAll(() => fake.stop())

describe('backoff', () => {
  it('doubles up to a minute, and logs at the first failure and each doubling', () => {
    const backoff = createBackoff(undefined, () => 1)
    const seconds = Array.from({ length: 8 }, () => backoff.failed().waitMs / 1000)
    expect(seconds).toEqual([5, 10, 20, 40, 60, 60, 60, 60])
    expect(backoff.reached()).toBe(8)
    const logged = Array.from({ length: 40 }, () => backoff.failed()).filter(({ isLogged }) => isLogged)
    expect(logged.map(({ times }) => times)).toEqual([1, 2, 4, 8, 16, 32])
    expect(createBackoff(undefined, () => 0).failed().waitMs).toBe(3_750)
    for (let i = 0; i < 2_000; i += 1) backoff.failed()
    expect(backoff.failed().waitMs).toBe(60_000)
  })
})

describe('a bot while Telegram is unreachable', () => {
  it('polls at growing intervals, logs a few times, and resets after a success', async () => {
    const lines: { level: string; times: number }[] = []
    const line = (level: string) => (about: object) =>
      void lines.push({ level, times: 'times' in about ? Number(about.times) : 0 })
    // A webhook, so that the shop itself does not hold the polling lock.
    const config = { ...shop.app.config, telegram: { ...shop.app.config.telegram, webhookSecret: null } }
    const { pool, directUrl } = shop.app
    const app = { config, pool, directUrl, log: { warn: line('warn'), info: line('info') } }
    const telegram = telegramOf(shop.app)
    if (!telegram) throw new Error('A bot is configured')
    let isAway = true
    fake.decide((method) => (isAway && method === 'deleteWebhook' ? { status: 502, description: 'Bad Gateway' } : null))
    const stopping = new AbortController()
    const listening = pollUpdates(app, telegram, createBackoff({ firstMs: 20, longestMs: 160 }), stopping.signal)
    const tries = () => fake.calls.filter(({ method }) => method === 'deleteWebhook')
    await until('nine tries', async () => tries().length >= 9)
    const gaps = tries().map(({ at }, i, all) => at - (all[i - 1]?.at ?? at))
    // A constant interval would keep all gaps as short as the first.
    expect(Math.min(...gaps.slice(5))).toBeGreaterThan(100)
    expect(lines.map(({ times }) => times).filter((times) => times <= 8)).toEqual([1, 2, 4, 8])
    isAway = false
    // Whoever asks waits for something to be told.
    fake.push({ update_id: 1 })
    await until('the line', async () => lines.some(({ level }) => level === 'info'))
    expect(fake.asked.length).toBeGreaterThan(0)
    stopping.abort()
    await listening
  })
})
