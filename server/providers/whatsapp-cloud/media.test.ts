import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { type MetaServer, startMeta } from '../../test/simulators/whatsapp-cloud.ts'
import { fetchMedia } from './media.ts'

let meta: MetaServer
beforeAll(async () => {
  meta = await startMeta()
})
beforeEach(() => meta.reset())
afterAll(() => meta.stop())

const MOST = 1_000_000
const fetchFrom = (graphUrl: string, mediaId: string) => {
  const cloud = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, token: meta.token, graphUrl }
  return fetchMedia(cloud, { mediaId, maxBytes: MOST, timeoutMs: 15_000, bytesMs: 15_000 })
}
const bytes = Buffer.from('OggS')

describe('the download URL of a file', () => {
  it('is requested if it is a host of the provider', async () => {
    meta.files.set('own', { bytes, mimeType: 'audio/ogg' })
    expect(await fetchFrom(meta.graphUrl, 'own')).toEqual({ ok: true, bytes })
  })

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:127.0.0.1]:9/x',
    'http://0x7f.1:9/x',
    'http://lookaside.fbsbx.com/x',
    'https://lookaside.fbsbx.com.evil.example/x',
    'https://evil.example/x.fbsbx.com',
    'https://evil.example#.fbsbx.com',
    'https://evil.example\\.fbsbx.com/x',
    'https://evilfbsbx.com/x',
    'https://fbsbx.com@evil.example/x',
    'https://lookaside.fbsbx.com@evil.example/x',
    'https://name:word@lookaside.fbsbx.com/x',
    'https://lookaside.fbsbx.com:9/x',
    'https://lookaside.fbsbx.com./x',
    // Names that nobody saw the provider use may be anybody's.
    'https://cdn.fbsbx.net/x',
    'https://cdn.fbcdn.com/x',
    'file:///etc/passwd',
    'data:audio/ogg;base64,T2dnUw==',
    'blob:https://lookaside.fbsbx.com/x',
    'javascript:1',
    'x',
  ])('is neither requested nor sent the token: %s', async (url) => {
    meta.files.set('away', { bytes, mimeType: 'audio/ogg', url })
    // Whatever is called answers `busy` at once where there is nobody, and never `gone`.
    expect(await fetchFrom(meta.graphUrl, 'away')).toEqual({ ok: false, kind: 'gone' })
  })
})

describe('the id of a file', () => {
  it.each(['..', '.', '../files/own', '%2e%2e', 'own?x=/../files', '../../x#', '..\\..\\x'])(
    'cannot change the path of the request: %s',
    async (mediaId) => {
      expect(await fetchFrom(meta.graphUrl, mediaId)).toEqual({ ok: false, kind: 'gone' })
      const { pathname } = new URL(meta.graphUrl)
      for (const { path } of meta.received) expect(path.startsWith(`${pathname}/`) && path.split('/')).toHaveLength(3)
    },
  )
})
