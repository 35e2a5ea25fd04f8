import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { App } from '../http/runtime.ts'
import { type Telegram, telegramOf } from './gateway.ts'

const MEGABYTE = 1024 * 1024
let server: Server
let telegram: Telegram
let sent = 0
let seen: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '' } = request
    seen.push(url)
    if (url.includes('/inside')) return response.end('{"ok":true,"result":{"message_id":1}}')
    if (url.endsWith('/createForumTopic')) return response.writeHead(307, { location: '/inside' }).end()
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has a port
  const { telegram: settings, ...config } = readConfig({ NODE_ENV: 'test' })
  const apiUrl = `http://127.0.0.1:${port}`
  const app = { config: { ...config, telegram: { ...settings, token: '1:a', apiUrl, isSimulated: false } } }
  const made = telegramOf(app as unknown as App) // nothing else of it is looked at
  if (!made) throw new Error('A bot is configured')
  telegram = made
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('limits the size of a response', async () => {
  expect(await telegram.send({ chatId: '1', threadId: null }, 'hello')).toMatchObject({ ok: false, kind: 'unknown' })
  expect(sent).toBeLessThan(64 * MEGABYTE)
})

it('does not follow redirects', async () => {
  seen = []
  expect(await telegram.makeTopic('1', 'Noura')).toMatchObject({ ok: false, kind: 'unknown' })
  expect(seen.some((url) => url.includes('/inside'))).toBe(false)
})
