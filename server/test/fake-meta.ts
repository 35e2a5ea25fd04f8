import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server with Meta's documented formats and errors. */
export interface FakeMeta {
  graphUrl: string
  token: string
  phoneNumberId: string
  received: { path: string; body: Json }[]
  /** Files of customers by media id; `url` overrides their address. */
  files: Map<string, { bytes: Buffer; mimeType: string; url?: string }>
  /** Answers every call with this error until `reset`; null never responds. */
  fail: (status: number | null, code?: number, headers?: Record<string, string>) => void
  /** Decides about each call; null accepts it. */
  decide: (by: (body: Json) => Failure | null) => void
  /** Delay of each response in milliseconds. */
  slowDown: (by: () => number) => void
  /** Called for each accepted message before the response is sent. */
  onTaken: (by: (taken: Taken) => void) => void
  reset: () => void
  stop: () => void
}
export type Json = Record<string, unknown>
export interface Taken {
  body: Json
  messageId: string
  /** Whether the caller was still there to hear it. */
  answered: Promise<boolean>
}
export interface Failure {
  status: number | null
  code?: number
  headers?: Record<string, string>
}

const errorOf = (code: number, details: string) => ({
  error: {
    message: `(#${code}) ${details}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details },
    fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
  },
})

const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], value)
const listAt = (value: unknown, ...path: (string | number)[]) => {
  const found = at(value, ...path)
  return Array.isArray(found) ? (found as unknown[]) : []
}
const isText = (value: unknown, most: number) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most

/** The documented error of an invalid body; null if it is valid. */
function mistakeOf(body: Json): [code: number, details: string] | null {
  if (body['messaging_product'] !== 'whatsapp') return [100, 'messaging_product is missing']
  if (body['status'] === 'read') return isText(body['message_id'], 200) ? null : [100, 'message_id is missing']
  const to = body['to']
  if (to === undefined ? !isText(body['recipient'], 150) : !/^\d{8,15}$/.test(String(to)))
    return [131009, 'Bad recipient']
  switch (body['type']) {
    case 'text':
      return isText(at(body, 'text', 'body'), 4096) ? null : [100, 'text.body']
    case 'template': {
      if (!isText(at(body, 'template', 'name'), 512)) return [132001, 'No such template']
      const values = listAt(body, 'template', 'components').flatMap((part) => listAt(part, 'parameters'))
      const texts = values.map((value) => at(value, 'text')).filter((value) => value !== undefined)
      if (texts.some((value) => !isText(value, 1024))) return [131008, 'A parameter has no text']
      return texts.some((value) => /[\n\t]| {5}/.test(String(value))) ? [132000, 'A parameter has a line break'] : null
    }
    case 'interactive':
      return mistakeOfInteractive(at(body, 'interactive'))
    default:
      return at(body, String(body['type']), 'link') ? null : [131051, 'Unsupported message type']
  }
}

function mistakeOfInteractive(message: unknown): [number, string] | null {
  if (!isText(at(message, 'body', 'text'), 4096)) return [100, 'body.text']
  if (at(message, 'type') === 'list') {
    const rows = listAt(message, 'action', 'sections').flatMap((section) => listAt(section, 'rows'))
    const ids = new Set(rows.map((row) => at(row, 'id')))
    const isGood =
      rows.length >= 1 && rows.length <= 10 && ids.size === rows.length && isText(at(message, 'action', 'button'), 20)
    return isGood && rows.every((row) => isText(at(row, 'title'), 24)) ? null : [131009, 'list']
  }
  if (at(message, 'type') === 'button') {
    const buttons = listAt(message, 'action', 'buttons')
    const isGood = buttons.length >= 1 && buttons.length <= 3
    return isGood && buttons.every((one) => isText(at(one, 'reply', 'title'), 20)) ? null : [131009, 'buttons']
  }
  return at(message, 'action', 'name') === 'send_location' ? null : [131009, 'interactive']
}

export async function startMeta(): Promise<FakeMeta> {
  const token = 'EAAG-token-of-the-test'
  const phoneNumberId = '106540352242922'
  let decide: (body: Json) => Failure | null = () => null
  let delay: () => number = () => 0
  let tell: (taken: Taken) => void = () => {}
  let messages = 0
  const files: FakeMeta['files'] = new Map()
  /** First where a file lies, then the file itself; both for the token alone. */
  function giveFile(path: string, response: ServerResponse, answer: (status: number, body: object) => unknown) {
    meta.received.push({ path, body: {} })
    const failure = decide({ path })
    if (failure?.status === null) return undefined
    if (failure) return answer(failure.status, errorOf(failure.code ?? 1, 'As wished'))
    const id = path.split('/').at(-1) ?? ''
    const file = files.get(id)
    if (!file) return answer(400, errorOf(100, 'Unsupported get request'))
    const { bytes, mimeType, url = `${meta.graphUrl}/files/${id}` } = file
    if (path.includes('/files/')) return response.writeHead(200, { 'content-type': mimeType }).end(bytes)
    return answer(200, { messaging_product: 'whatsapp', url, mime_type: mimeType, file_size: bytes.length, id })
  }
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = (status: number, body: object, headers: Record<string, string> = {}) => {
        const end = () =>
          response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
        const ms = delay()
        if (ms > 0) setTimeout(end, ms)
        else end()
      }
      if (request.headers.authorization !== `Bearer ${token}`)
        return answer(401, errorOf(190, 'Access token has expired'))
      if (request.method === 'GET') return giveFile(request.url ?? '', response, answer)
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json
      meta.received.push({ path: request.url ?? '', body })
      const failure = decide(body)
      if (failure?.status === null) return undefined
      if (failure) return answer(failure.status, errorOf(failure.code ?? 1, 'As wished'), failure.headers)
      const mistake = mistakeOf(body)
      if (mistake) return answer(400, errorOf(...mistake))
      if (body['status'] === 'read') return answer(200, { success: true })
      const wa_id = String(body['to'] ?? '')
      const id = `wamid.HBgL${(messages += 1)}${Date.now()}`
      const answered = new Promise<boolean>((resolve) => {
        response.once('close', () => resolve(response.writableFinished))
      })
      tell({ body, messageId: id, answered })
      return answer(200, {
        messaging_product: 'whatsapp',
        contacts: [{ input: wa_id, wa_id }],
        messages: [{ id, message_status: 'accepted' }],
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has a port
  const meta: FakeMeta = {
    graphUrl: `http://127.0.0.1:${port}/v23.0`,
    token,
    phoneNumberId,
    received: [],
    files,
    fail: (status, code = 1, headers = {}) => void (decide = () => ({ status, code, headers })),
    decide: (by) => void (decide = by),
    slowDown: (by) => void (delay = by),
    onTaken: (by) => void (tell = by),
    reset() {
      meta.received.length = 0
      decide = () => null
      delay = () => 0
      tell = () => {}
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return meta
}
