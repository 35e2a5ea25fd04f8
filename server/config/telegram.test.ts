import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { weaknessOf } from './values.ts'

const settingsOf = (env: Record<string, string>) =>
  readConfig({ NODE_ENV: 'test', DATA_DIR: mkdtempSync(join(tmpdir(), 'qatra-config-')), ...env }).telegram
const [one, other] = ['yN4mQ9rT1vX7bB5nD2hJ8pL4wK6sF0gA', 'uC3eR8tZ5iO1pA7sD9fG2hJ4kL6xV0bN']
const token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'

describe('Telegram configuration', () => {
  it("is simulated beside the simulator, with keys derived from the installation's secret", () => {
    const first = settingsOf({ SECRET_KEY: one })
    const { token: key, webhookSecret, groupId } = first
    expect(first.isSimulated).toBe(true)
    expect(key).toMatch(/^\d{5,20}:[\w-]{20,}$/)
    expect(groupId).toMatch(/^-100\d{9}$/)
    expect(webhookSecret).toMatch(/^[\w-]{40,256}$/)
    expect(weaknessOf(webhookSecret ?? '')).toBeNull()
    expect(settingsOf({ SECRET_KEY: one })).toEqual(first)
    const second = settingsOf({ SECRET_KEY: other })
    for (const name of ['token', 'webhookSecret', 'groupId'] as const) expect(second[name]).not.toBe(first[name])
  })

  it('is real if a token is set, and null beside a real WhatsApp without one', () => {
    expect(settingsOf({ TELEGRAM_BOT_TOKEN: token })).toMatchObject({ token, groupId: null, isSimulated: false })
    expect(settingsOf({ WHATSAPP_PROVIDER: 'web' })).toMatchObject({ token: null, isSimulated: false })
  })
})
