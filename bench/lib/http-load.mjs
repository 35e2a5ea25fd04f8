import { connect } from 'node:net'

/**
 * Sends `requests` (complete HTTP/1.1 texts) over `connections` sockets, one at a time on each, and returns the total
 * time. Throws on any status but 200, because a rate of errors is meaningless.
 * @returns {Promise<{seconds: number, latencies: number[]}>}
 */
export async function sendAll({ port, requests, connections }) {
  let next = 0
  const latencies = []
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let received = ''
      let sentAt = 0
      const send = () => {
        if (next >= requests.length) return (socket.end(), resolve())
        sentAt = performance.now()
        socket.write(requests[next])
        next += 1
      }
      socket.setEncoding('latin1')
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        received += chunk
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = /\r\ncontent-length: (\d+)/i.exec(received)
        if (!length) return reject(new Error(`No length: ${received.slice(0, 300)}`))
        if (received.length < end + 4 + Number(length[1])) return
        if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received.slice(0, 800)))
        received = ''
        latencies.push(performance.now() - sentAt)
        send()
      })
    })
  const begun = performance.now()
  await Promise.all(Array.from({ length: connections }, one))
  return { seconds: (performance.now() - begun) / 1000, latencies }
}

/** The bytes of a POST as a browser sends it. */
export function post(path, port, body, headers = {}) {
  const text = JSON.stringify(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
