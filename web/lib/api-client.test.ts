import { afterEach, describe, expect, it, vi } from 'vitest'
import { addressOf, CallError, call, fetchKey, read } from './api-client.ts'

const answer = (body: string, init: ResponseInit = {}) => vi.fn(async () => new Response(body, init))
const getThing = { method: 'GET', path: '/api/things/{id}', allow: 'anyone', summary: '', returns: undefined } as never
const putThing = { method: 'PUT', path: '/api/things/{id}', allow: 'anyone', summary: '', returns: undefined } as never

afterEach(() => vi.unstubAllGlobals())

describe('pathOf', () => {
  it('encodes path parameters and omits undefined query parameters', () => {
    expect(
      addressOf('/api/a/{id}', { params: { id: 'x/../y?' }, query: { q: 'ماء &', none: undefined, no: null } }),
    ).toBe('/api/a/x%2F..%2Fy%3F?q=%D9%85%D8%A7%D8%A1+%26')
  })
})

describe('call', () => {
  it('sends JSON with the idempotency key and returns the answer', async () => {
    const fetch = answer('{"id":7}')
    vi.stubGlobal('fetch', fetch)
    const result = await call(putThing, { params: { id: 7 }, body: { a: 1 } } as never, { idempotencyKey: 'k' })
    expect(result).toEqual({ id: 7 })
    expect(fetch).toHaveBeenCalledWith(
      '/api/things/7',
      expect.objectContaining({
        method: 'PUT',
        body: '{"a":1}',
        credentials: 'same-origin',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': 'k' },
      }),
    )
  })

  it('throws a CallError with code, details and "status: text" as its message', async () => {
    const text = '{"code":"QUANTITY_LIMIT","message":"At most 100 of one product","details":{"max":100}}'
    vi.stubGlobal('fetch', answer(text, { status: 409, headers: { 'retry-after': '60' } }))
    const error = await call(getThing, { params: { id: 1 } } as never).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({ status: 409, code: 'QUANTITY_LIMIT', details: { max: 100 }, retryAfter: 60 })
    expect(String(error)).toBe(`409: ${text}`)
  })

  it('distinguishes an unreadable answer from no answer', async () => {
    vi.stubGlobal('fetch', answer('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(call(getThing, {} as never)).rejects.toMatchObject({ status: 502, code: 'UNREADABLE' })
    vi.stubGlobal('fetch', answer('<p>Sign in to the hotel network</p>'))
    await expect(call(getThing, {} as never)).rejects.toMatchObject({ code: 'UNREADABLE' })
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')))
    await expect(call(getThing, {} as never)).rejects.toMatchObject({ status: 0, code: 'OFFLINE' })
  })

  it('is OFFLINE if the connection is lost within the answer', async () => {
    const cut = new ReadableStream({
      start(body) {
        body.enqueue(new TextEncoder().encode('{"id":'))
        body.error(new DOMException('The operation was aborted. ', 'AbortError'))
      },
    })
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response(cut)),
    )
    await expect(call(getThing, {} as never)).rejects.toMatchObject({ status: 0, code: 'OFFLINE' })
  })

  it('rethrows an abort', async () => {
    const control = new AbortController()
    control.abort()
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(control.signal.reason))
    await expect(call(getThing, {} as never, { signal: control.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('read', () => {
  it('can be fetched from its key', async () => {
    const fetch = answer('[1]')
    vi.stubGlobal('fetch', fetch)
    const { queryKey } = read(getThing, { params: { id: 3 }, query: { lang: 'ar' } } as never)
    expect(queryKey).toEqual(['/api/things/{id}', { params: { id: 3 }, query: { lang: 'ar' } }])
    await expect(fetchKey({ queryKey, signal: new AbortController().signal } as never)).resolves.toEqual([1])
    expect(fetch).toHaveBeenCalledWith('/api/things/3?lang=ar', expect.objectContaining({ method: 'GET' }))
  })
})
