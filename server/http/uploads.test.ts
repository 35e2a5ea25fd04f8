import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { uploadPicture } from '@qatra/contract/products/admin'
import { bulkProducts } from '@qatra/contract/products/bulk'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { heading, line } from '../test/fixtures/bulk.ts'
import { until } from '../test/fixtures/codes.ts'
import { fileForm } from '../test/fixtures/form.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let address: URL
let first: Visitor
let second: Visitor
const sockets: Socket[] = []
beforeAll(async () => {
  shop = await startShop()
  first = await shop.visitor().signInAs('+97336000002')
  second = await shop.visitor().signInAs('+97336000012')
  address = new URL(await shop.app.http.listen({ port: 0, host: '127.0.0.1' }))
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const cookieOf = (visitor: Visitor) => [...visitor.cookies].map((pair) => pair.join('=')).join('; ')

/** Sends the headers and half of the body of an upload, then stalls. */
async function uploadHalf(visitor: Visitor, path: string) {
  const { raw, headers } = fileForm('products.csv', `${heading}\n${line()}`)
  const socket = connect(Number(address.port), address.hostname)
  sockets.push(socket)
  let answer = ''
  let isClosed = false
  socket.on('data', (bytes) => (answer += bytes.toString()))
  socket.on('error', () => {}) // closed by the server
  socket.on('close', () => (isClosed = true))
  socket.write(
    [
      `POST ${path}?dryRun=true HTTP/1.1`,
      `host: ${address.host}`,
      `cookie: ${cookieOf(visitor)}`,
      `content-type: ${headers['content-type']}`,
      `content-length: ${raw.length}`,
      '\r\n',
    ].join('\r\n'),
  )
  socket.write(raw.subarray(0, raw.length / 2))
  return {
    isWaiting: () => answer === '' && !isClosed,
    status: () => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0),
    socket,
  }
}

function upload(visitor: Visitor, vendorId: number) {
  const { raw, headers } = fileForm('products.csv', `${heading}\n${line({ vendorId })}`)
  return fetch(`${address.origin}${bulkProducts.path}?dryRun=true`, {
    method: 'POST',
    body: new Uint8Array(raw),
    headers: { ...headers, cookie: cookieOf(visitor) },
  })
}

describe('uploads', () => {
  it('of another vendor complete while one person has six stalled uploads', async () => {
    const paths = [bulkProducts.path, uploadPicture.path, bulkProducts.path, uploadPicture.path]
    const slow = await Promise.all(
      [...paths, bulkProducts.path, uploadPicture.path].map((path) => uploadHalf(first, path)),
    )
    // One is read, three wait, the others get 429.
    await until('the refusals', async () => slow.filter(({ status }) => status() === 429).length >= 2)
    const answer = await upload(second, 2)
    expect(answer.status).toBe(200)
    expect(slow.filter(({ isWaiting }) => isWaiting())).toHaveLength(4)
  })

  it('of one person are read sequentially, across all endpoints', async () => {
    // The stalled uploads before are over.
    await until('the turns to be free', async () => (await upload(first, 1)).status === 200)
    const heard = once(shop.app.http.server, 'request')
    const slow = await uploadHalf(first, uploadPicture.path)
    await heard
    await new Promise((resolve) => setTimeout(resolve, 300))
    let isAnswered = false
    const next = upload(first, 1).finally(() => (isAnswered = true))
    for (let n = 0; n < 3; n++) expect((await upload(second, 2)).status).toBe(200)
    expect(isAnswered).toBe(false)
    slow.socket.destroy()
    expect((await next).status).toBe(200)
  })

  it('release their semaphores when the client disconnects', async () => {
    for (let n = 0; n < 30; n++) {
      const { socket } = await uploadHalf(n % 2 ? first : second, bulkProducts.path)
      await new Promise((resolve) => setTimeout(resolve, 5))
      socket.destroy()
    }
    await until('the turns to be free', async () => (await upload(first, 1)).status === 200)
    expect((await Promise.all([upload(first, 1), upload(second, 2)])).map(({ status }) => status)).toEqual([200, 200])
  })
})
