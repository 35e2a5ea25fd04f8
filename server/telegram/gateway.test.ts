import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { App } from '../http/runtime.ts'
import type { Telegram } from '../providers/telegram/gateway.ts'
import { startTelegram, type TelegramServer } from '../test/simulators/telegram.ts'
import { telegramOf } from './gateway.ts'

const MEGABYTE = 1024 * 1024
let server: TelegramServer
let telegram: Telegram
let sent = 0

beforeAll(async () => {
  server = await startTelegram()
  await server.be((response, { path }) => {
    if (path.includes('/inside')) return response.end('{"ok":true,"result":{"message_id":1}}')
    if (path.endsWith('/createForumTopic')) return response.writeHead(307, { location: '/inside' }).end()
    const chunk = Buffer.alloc(256 * 1024, ' ')
    const more = () => {
      while (!response.destroyed && sent < 256 * MEGABYTE) {
        sent += chunk.length
        if (!response.write(chunk)) return response.once('drain', more)
      }
      return response.end()
    }
    return more()
  })
  const { telegram: settings, ...config } = readConfig({ NODE_ENV: 'test' })
  const { apiUrl } = server
  const app = {
    config: { ...config, simulator: false, telegram: { ...settings, token: '1:a', apiUrl, isSimulated: false } },
  }
  const made = telegramOf(app as unknown as App) // nothing else of it is looked at
  if (!made) throw new Error('A bot is configured')
  telegram = made
})
afterAll(() => server.stop())

it('limits the size of a response', async () => {
  expect(await telegram.send({ chatId: '1', threadId: null }, 'hello')).toMatchObject({ ok: false, kind: 'unknown' })
  expect(sent).toBeLessThan(64 * MEGABYTE)
})

it('does not follow redirects', async () => {
  expect(await telegram.makeTopic('1', 'Noura')).toMatchObject({ ok: false, kind: 'unknown' })
  expect(server.requests.some(({ path }) => path.includes('/inside'))).toBe(false)
})
