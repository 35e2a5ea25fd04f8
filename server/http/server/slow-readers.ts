import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const usual = { checkMs: 2_000, patienceMs: 10_000 }
/** Below the rate of a bad mobile connection. */
const MIN_BYTES_PER_SECOND = 1_000
/** Smaller send queues are no attack. */
const MIN_QUEUED_BYTES = 16_000

const tables = ['/proc/net/tcp', '/proc/net/tcp6'] as const

/** Peers and their queued bytes in the kernel, for connections to this port. */
export function readWaiting(table: string, port: number): Map<string, number> {
  const waiting = new Map<string, number>()
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of table.split('\n')) {
    const [, own = '', other = '', , queues = ''] = line.trim().split(/\s+/)
    const bytes = own.endsWith(local) ? Number.parseInt(queues, 16) : 0
    if (bytes >= MIN_QUEUED_BYTES) waiting.set(addressOf(other), bytes)
  }
  return waiting
}

/** `0100007F:1F90` is 127.0.0.1 8080: words in host byte order. */
function addressOf(entry: string): string {
  const [hex = '', port = ''] = entry.split(':')
  const words = (hex.match(/.{8}/g) ?? []).map((word) => (word.match(/../g) ?? []).reverse())
  const last = (words.at(-1) ?? []).map((byte) => Number.parseInt(byte, 16)).join('.')
  const isMapped = hex.startsWith('0000000000000000FFFF0000')
  const groups = words.flatMap(([a, b, c, d]) => [`${a}${b}`, `${c}${d}`])
  const host = words.length === 1 ? last : isMapped ? `::ffff:${last}` : plainIpv6(groups.join(':'))
  return `${host} ${Number.parseInt(port, 16)}`
}

const plainIpv6 = (text: string) => URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? text

/**
 * Disconnects clients that request much and read almost nothing. Node considers a response finished once the kernel has
 * it, and the kernel waits without limit; only Linux reports its send queues. Measured: 500 such readers hold 482 MB of
 * the kernel's memory for as long as they like, and with this for 23 seconds.
 */
export function disconnectSlowReaders(server: Server, { checkMs, patienceMs } = usual) {
  if (!existsSync(tables[0])) return
  const sockets = new Map<string, Socket>()
  const taken = new WeakMap<Socket, { bytes: number; at: number }>()
  server.on('connection', (socket: Socket) => {
    const key = `${socket.remoteAddress} ${socket.remotePort}`
    sockets.set(key, socket)
    socket.once('close', () => sockets.get(key) === socket && sockets.delete(key))
  })

  async function check(port: number) {
    if (sockets.size === 0) return
    for (const table of tables) {
      const text = await readFile(table, 'latin1').catch(() => '')
      const at = performance.now()
      for (const [key, waiting] of readWaiting(text, port)) {
        const socket = sockets.get(key)
        if (!socket) continue
        const bytes = socket.bytesWritten - socket.writableLength - waiting
        const before = taken.get(socket)
        if (!before || bytes - before.bytes >= ((at - before.at) / 1_000) * MIN_BYTES_PER_SECOND)
          taken.set(socket, { bytes, at })
        else if (at - before.at >= patienceMs) socket.resetAndDestroy()
      }
    }
  }

  server.once('listening', () => {
    const address = server.address()
    if (typeof address !== 'object' || address === null) return
    let isLooking = false
    const timer = setInterval(() => {
      if (isLooking) return
      isLooking = true
      void check(address.port).finally(() => {
        isLooking = false
      })
    }, checkMs).unref()
    server.once('close', () => clearInterval(timer))
  })
}
