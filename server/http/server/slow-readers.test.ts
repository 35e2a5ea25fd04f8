import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { disconnectSlowReaders, readWaiting } from './slow-readers.ts'

const isLinux = existsSync('/proc/net/tcp')
const body = Buffer.alloc(300_000, 'x')
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Responds in one write, so that Node does not notice a slow reader. */
async function serving(guard: (server: Server) => void) {
  const server = createServer({ keepAliveTimeout: 65_000 }, (_, response) => response.end(body))
  server.timeout = 12_000
  guard(server)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  const { port } = address
  const held = () => readWaiting(readFileSync('/proc/net/tcp', 'latin1'), port).size
  return { port, held }
}

/** Sends several requests at once and reads some bytes every `everyMs`; returns the number of bytes read. */
function reader(port: number, bytes: number, everyMs: number, times = 3) {
  let taken = 0
  const socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer: Buffer.alloc(bytes),
      callback: (count) => {
        taken += count
        return false
      },
    },
  })
  socket.on('error', () => {}) // a reset is expected
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times))
  const timer = setInterval(() => socket.resume(), everyMs)
  return {
    taken: () => taken,
    end() {
      clearInterval(timer)
      socket.destroy()
    },
  }
}

describe.runIf(isLinux)('a slow reader', () => {
  it('is disconnected below the minimum rate, and not above it', async () => {
    const impatient = (server: Server) => disconnectSlowReaders(server, { checkMs: 300, patienceMs: 1_500 })
    const [guarded, careless, slow] = [await serving(impatient), await serving(() => {}), await serving(impatient)]
    const readers = [guarded.port, careless.port].flatMap((port) => [reader(port, 8, 500), reader(port, 1, 60_000)])
    // On loopback the kernel acknowledges in large steps: up to 200 KB.
    const slowReader = reader(slow.port, 60_000, 100, 60)
    await expect.poll(() => [guarded.held(), careless.held()]).toEqual([2, 2])
    await expect.poll(guarded.held, { interval: 100 }).toBe(0)
    // Without the guard the kernel holds the data despite Node's time-outs.
    expect(careless.held()).toBe(2)
    const before = slowReader.taken()
    await expect.poll(slowReader.taken).toBeGreaterThan(before + 500_000)
    for (const one of [...readers, slowReader]) one.end()
  })
})

describe('/proc/net/tcp', () => {
  const line = (other: string, queue: string, own = '0100007F:0C35') =>
    `   1: ${own} ${other} 01 ${queue}:00000000 00:00000000 00000000     0        0 1 1 0 20 4 30 10 -1`

  it('is parsed to peers and queued bytes, with addresses as Node writes them', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue',
      line('0200000A:D431', '000BC9D1'),
      line('0000000000000000FFFF00000300000A:D432', '00100000', '0000000000000000FFFF00000100007F:0C35'),
      line('B80D0120000000000000000001000000:D433', '00100000', '00000000000000000000000001000000:0C35'),
      line('0200000A:D434', '00000010'),
      line('0200000A:D435', '00100000', '0100007F:0C36'),
      'rubbish',
      '',
    ].join('\n')
    expect([...readWaiting(table, 3_125)]).toEqual([
      ['10.0.0.2 54321', 772_561],
      ['::ffff:10.0.0.3 54322', 1_048_576],
      ['2001:db8::1 54323', 1_048_576],
    ])
  })
})
