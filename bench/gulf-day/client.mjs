import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

/** Visitors with addresses of their own, as a proxy names them. Counts what they receive. */
export function createClient(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let received = 0
  let visits = 0

  /** @returns status, and the body of `isRead` answers; status 0 without an answer */
  function ask({ method = 'GET', path, cookie, body, bytes, headers = {}, isRead = false }) {
    visits += 1
    const sent = bytes ?? (body && Buffer.from(JSON.stringify(body)))
    const all = {
      'accept-encoding': 'br, gzip',
      'accept-language': 'ar',
      'x-forwarded-for': `10.${(visits >> 16) & 255}.${(visits >> 8) & 255}.${visits & 255}`,
      ...(cookie && { cookie: `sid=${cookie}` }),
      ...(sent && { 'content-type': 'application/json', 'content-length': sent.length }),
      ...headers,
    }
    return new Promise((resolve) => {
      const asked = request({ port, agent, method, path, headers: all, timeout: 120_000 }, (answer) => {
        const chunks = []
        received += answer.rawHeaders.reduce((sum, text) => sum + text.length + 2, 20)
        answer.on('data', (chunk) => {
          received += chunk.length
          if (isRead) chunks.push(chunk)
        })
        answer.on('error', ({ message }) => resolve({ status: 0, text: message }))
        answer.on('end', () => {
          if (!isRead) return resolve({ status: answer.statusCode })
          const whole = Buffer.concat(chunks)
          const decode = decoders[answer.headers['content-encoding']]
          resolve({ status: answer.statusCode, text: (decode ? decode(whole) : whole).toString() })
        })
      })
      asked.on('timeout', () => asked.destroy(new Error('timeout')))
      asked.on('error', ({ message }) => resolve({ status: 0, text: message }))
      asked.end(sent)
    })
  }

  /** An event stream. `close` ends it; `heard` counts the events. */
  function listen(path, cookie) {
    return new Promise((resolve, reject) => {
      const stream = { heard: 0, close: () => asked.destroy() }
      const asked = request({ port, path, agent: false, headers: { cookie: `sid=${cookie}` } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode}`))
        answer.setEncoding('utf8')
        answer.on('data', (text) => {
          received += text.length
          stream.heard += text.split('event: orders').length - 1
        })
        answer.on('error', () => {})
        resolve(stream)
      })
      asked.on('error', reject)
      asked.end()
    })
  }
  return { ask, listen, received: () => received, close: () => agent.destroy() }
}

async function timed(perform, due, into) {
  try {
    await perform()
    into.times.push({ due, ms: performance.now() - due })
  } catch (error) {
    into.failures.push(error.message)
  }
}

/**
 * Open loop: acts arrive at moments of their own (a Poisson process for each kind), whether the earlier ones are answered
 * or not, and are timed from the moment they were due.
 * @param rates acts a second by name
 */
export async function arrive(acts, rates, seconds) {
  const record = Object.fromEntries(Object.keys(rates).map((name) => [name, { times: [], failures: [] }]))
  const end = performance.now() + seconds * 1000
  const open = []
  async function arrivals(name, rate) {
    for (let due = performance.now(); ; ) {
      due += (-Math.log(1 - Math.random()) * 1000) / rate
      if (due > end) return
      const wait = due - performance.now()
      if (wait > 1) await sleep(wait)
      open.push(timed(acts[name].perform, due, record[name]))
    }
  }
  await Promise.all(Object.entries(rates).map(([name, rate]) => arrivals(name, rate)))
  await Promise.all(open)
  return record
}

export const quantile = (values, q) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0
