import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Compression = 'br' | 'gzip'

const BROTLI_QUALITY = 9
const GZIP_LEVEL = 9
const ONCE_QUALITY = 4

/** In order of preference. Runs in zlib's threads; a failed compression is omitted. */
export const compressions: readonly (readonly [Compression, (plain: Buffer, done: (bytes: Buffer) => void) => void])[] =
  [
    [
      'br',
      (plain, done) => {
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        }
        brotliCompress(plain, { params }, (error, bytes) => void (error ?? done(bytes)))
      },
    ],
    ['gzip', (plain, done) => gzip(plain, { level: GZIP_LEVEL }, (error, bytes) => void (error ?? done(bytes)))],
  ]

/** Smaller bodies are not compressed. */
export const WORTH_COMPRESSING = 860
const compressible = /^(?:text\/(?:html|csv|calendar|plain)|application\/(?:geo\+)?json)\b/
/** For a body that is sent once: a third of the time of the best quality for a tenth more bytes. */
const once = {
  br: (plain: string | Buffer) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: ONCE_QUALITY } }),
  gzip: (plain: string | Buffer) => promisify(gzip)(plain, { level: ONCE_QUALITY }),
}

/** Hook `onSend`: compresses a text that no earlier step has compressed. */
export async function compressReply(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
  if (payload.length < WORTH_COMPRESSING || request.method === 'HEAD' || reply.hasHeader('content-encoding'))
    return payload
  if (!compressible.test(String(reply.getHeader('content-type')))) return payload
  const vary = String(reply.getHeader('vary') ?? '')
  if (!/accept-encoding/i.test(vary)) reply.header('vary', vary ? `Accept-Encoding, ${vary}` : 'Accept-Encoding')
  const compression = compressionFor(request.headers['accept-encoding'])
  if (compression === null) return payload
  reply.header('content-encoding', compression).removeHeader('content-length')
  return once[compression](payload)
}

const chosen = new Map<string, Compression | null>()
/** Browsers send few distinct values; others are parsed every time. */
const MAX_PARSED = 100

/** The preferred encoding that Accept-Encoding allows; null for none. */
export function compressionFor(accepted: string | string[] | undefined): Compression | null {
  if (typeof accepted !== 'string' || accepted === '') return null
  const known = chosen.get(accepted)
  if (known !== undefined) return known
  const weights = readWeights(accepted)
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const most = Math.max(...compressions.map(([name]) => weightOf(name)))
  const best = most > 0 ? compressions.find(([name]) => weightOf(name) === most)?.[0] : undefined
  const answer = best ?? null
  if (chosen.size < MAX_PARSED && accepted.length <= 200) chosen.set(accepted, answer)
  return answer
}

function readWeights(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.slice(0, 500).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    weights.set(name, Number.isFinite(weight) ? weight : 0)
  }
  return weights
}
