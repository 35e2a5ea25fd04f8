import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../../test/simulators/server.ts'
import { type ModelServer, startModels } from '../../test/simulators/models.ts'
import { askChat, transcribe } from './gateway.ts'
import { createBreaker } from './models.commands.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModels()
})
afterAll(() => server.stop())

const config = () => ({ url: server.url, model: 'small', key: 'a-key', budget: 10 })
const question = { system: 'Read.', user: 'two cartons', schema: { type: 'object' } }
const sound = { bytes: new Uint8Array([1, 2]), mimeType: 'audio/ogg', filename: 'voice.ogg' }
const message = (parts: object) => ({ message: { role: 'assistant', content: null, ...parts } })

describe('a language model', () => {
  it('is asked for JSON of a schema, with its key', async () => {
    server.answer({ intent: 'order' })
    expect(await askChat(config(), question)).toEqual({ ok: true, value: { intent: 'order' } })
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer a-key')
    expect(server.chats.at(-1)).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'Read.' },
        { role: 'user', content: 'two cartons' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'reading', strict: true, schema: question.schema } },
    })
  })

  it.each<[string, object | string, object]>([
    ['prose', 'The customer wants two cartons.', {}],
    ['JSON in prose', '```json\n{"intent":"order"}\n```', {}],
    ['a refusal', '', message({ refusal: 'I cannot help with that' })],
    ['a call of a tool', '', { ...message({ tool_calls: [{ id: '1' }] }), finish_reason: 'tool_calls' }],
    ['a call of a tool beside content', '', message({ content: '{}', tool_calls: [{ id: '1' }] })],
    ['an answer that was cut off', { intent: 'order' }, { finish_reason: 'length' }],
    ['an answer that is too long', `"${'x'.repeat(4_000)}"`, {}],
  ])('has answered nothing with %s', async (_, content, raw) => {
    server.answer(content, raw)
    expect(await askChat(config(), question)).toEqual({ ok: false, kind: 'refused' })
  })

  it.each<[Fault, object]>([
    ['fails', { ok: false, kind: 'failed' }],
    ['too-many', { ok: false, kind: 'failed', retryAfter: 30 }],
    ['error-in-200', { ok: false, kind: 'refused' }],
    ['breaks-off', { ok: false, kind: 'failed' }],
    ['refuses', { ok: false, kind: 'failed' }],
  ])('of a service that %s is no answer', async (fault, answer) => {
    server.answer({ intent: 'order' })
    await server.be(fault)
    expect(await askChat(config(), question)).toEqual(answer)
    await server.be(null)
  })

  it('of a service that hangs is no answer in time', async () => {
    await server.be('hangs')
    expect(await askChat(config(), question, { timeoutMs: 50 })).toEqual({ ok: false, kind: 'failed' })
    await server.be(null)
  })
})

describe('a voice message', () => {
  it('is sent as a file and comes back as text', async () => {
    server.hear('  كرتونين هيرات ')
    expect(await transcribe(config(), sound)).toEqual({ ok: true, value: 'كرتونين هيرات' })
    expect(server.sounds.at(-1)).toEqual({ model: 'small', bytes: Buffer.from([1, 2]), filename: 'voice.ogg' })
  })

  it.each(['', ' \n', 'x'.repeat(4_001)])('without words or with too many is not heard', async (text) => {
    server.hear(text)
    expect(await transcribe(config(), sound)).toEqual({ ok: false, kind: 'refused' })
  })

  it('that the service fails on is not heard', async () => {
    await server.be('fails')
    expect(await transcribe(config(), sound)).toEqual({ ok: false, kind: 'failed' })
    await server.be(null)
  })
})

describe('the breaker', () => {
  it('opens after five failures in a row, for a minute, then after one', () => {
    const breaker = createBreaker()
    for (let i = 0; i < 4; i += 1) breaker.fail(0)
    breaker.succeed()
    for (let i = 0; i < 4; i += 1) breaker.fail(0)
    expect(breaker.isOpen(0)).toBe(false)
    breaker.fail(0)
    expect([breaker.isOpen(59_999), breaker.isOpen(60_000)]).toEqual([true, false])
    breaker.fail(60_000)
    expect(breaker.isOpen(60_001)).toBe(true)
  })

  it('rests as long as the service says', () => {
    const breaker = createBreaker()
    breaker.fail(0, 300)
    expect([breaker.isOpen(299_999), breaker.isOpen(300_000)]).toEqual([true, false])
  })
})
