import { connect, type Socket } from 'node:net'

export interface RawConnection {
  socket: Socket
  /** Everything received so far. */
  text: () => string
  /** Resolves when the other side closes the connection. */
  closed: Promise<void>
}

/** A connection on which a test writes raw bytes. */
export function rawConnection(address: string): RawConnection {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.on('error', () => {}) // a reset is expected
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  return { socket, text: () => received, closed }
}

/** For the first byte; a busy server may take this long. */
const TIMEOUT_MS = 60_000

/** Sends the bytes and returns what was received until the other side closed the connection or was silent. */
export async function exchange(address: string, bytes: string, silenceMs = 500): Promise<string> {
  const { socket, text, closed } = rawConnection(address)
  socket.write(bytes, 'latin1')
  const silence = new Promise<void>((done) => {
    let timer = setTimeout(done, TIMEOUT_MS)
    socket.on('data', () => {
      clearTimeout(timer)
      timer = setTimeout(done, silenceMs)
    })
  })
  await Promise.race([closed, silence])
  socket.destroy()
  return text()
}
