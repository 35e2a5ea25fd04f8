import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes a connection whose request or response makes no progress for `idleMs`. A complete request that is still being
 * worked on, such as a bulk change on a busy machine, keeps its connection.
 */
export function closeIdleConnections(server: Server, idleMs: number) {
  const oldest = new WeakMap<Socket, ServerResponse>()
  server.timeout = idleMs
  server.on('request', ({ socket }, response) => {
    // Of pipelined requests the first decides: its response may be what is not read.
    if (oldest.get(socket)?.writableFinished ?? true) oldest.set(socket, response)
  })
  server.on('timeout', (socket) => {
    const response = oldest.get(socket)
    const isWorking = response !== undefined && response.req.complete && !response.headersSent
    if (!isWorking) socket.destroy()
  })
}
