import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { getMessageFile } from '@qatra/contract/whatsapp/inbox/files'
import { describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { rawConnection } from '../test/raw-socket.ts'
import type { Visitor } from '../test/visitor.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // there since the line above
/** Bytes of buffers that are still referenced. */
function held(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

const MEGABYTE = 1024 * 1024
const SIZE = 12 * MEGABYTE
const shop = await startShop({ hasBot: false })
const address = await shop.app.http.listen({ host: '127.0.0.1', port: 0 })
const boss = await shop.visitor().signInAs('+97336000001')
const cookie = [...boss.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** A video of the maximum size; returns its path. */
async function kept(): Promise<string> {
  const from = newPhone()
  await shop.visitor().call(sendSimulatedMessage, { body: { from, type: 'video' } })
  const { id } = await until('the file', async () => {
    const [row] = await shop.query<{ id: number }>(
      `select m.id from whatsapp_messages m join message_files f on f.message_id = m.id
       where m.from_number = $1 and f.sha256 is not null`,
      [from],
    )
    return row
  })
  await shop.query(
    `update media set bytes = decode(repeat('5a', ${SIZE}), 'hex')
     where sha256 = (select sha256 from message_files where message_id = $1)`,
    [id],
  )
  return getMessageFile.path.replace('{id}', String(id))
}
const path = await kept()
const request = (headers: Record<string, string> = {}) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${cookie}`,
    ...Object.entries(headers).map((pair) => pair.join(': ')),
  ]
    .join('\r\n')
    .concat('\r\n\r\n')
const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  shop.app.http.inject({ method, url: path, headers: { cookie, ...headers } })

describe('sixteen clients that request a large file and stop reading', () => {
  it('buffer a few pieces each, hold no database connection, and are released when they disconnect', async () => {
    const before = held()
    const readers = Array.from({ length: 16 }, () => rawConnection(address))
    for (const { socket } of readers) {
      socket.write(request())
      socket.once('data', () => socket.pause())
    }
    await until('all of them to be answered', async () => readers.every(({ text }) => text().includes('200 OK')))
    // Until the socket buffers are full; then nothing more is read.
    await until('the last piece', async () => {
      await sleep(100)
      const { idleCount, totalCount, waitingCount } = shop.app.pool
      return waitingCount === 0 && idleCount === totalCount
    })
    // Whole files would be 192 MB. Released buffers are swept beside the program, so it may take a moment.
    await expect.poll(() => held() - before).toBeLessThan(60 * MEGABYTE)
    await until('another answer', async () => (await ask({ range: 'bytes=0-99' })).rawPayload.length === 100)
    for (const { socket } of readers) socket.destroy()
    await until('the end of them', async () => {
      const count = await new Promise<number>((done) => shop.app.http.server.getConnections((_, open) => done(open)))
      return count === 0
    })
    await expect.poll(() => shop.app.pool.totalCount - shop.app.pool.idleCount).toBe(0)
  })
})

describe('malformed or excessive ranges', () => {
  const parts = (one: string, times: number) => `bytes=${Array.from({ length: times }, () => one).join(',')}`
  it.each([
    ['many that overlap', parts('0-', 200)],
    ['many that are small', parts('0-0', 500)],
    ['as it stands', 'bytes=0-0, 1-1'],
    ['as it stands', 'bytes= 0-1'],
    ['as it stands', 'bytes=0x10-0x20'],
    ['as it stands', 'bytes=1e3-2e3'],
    ['as it stands', 'bytes=--1'],
    ['as it stands', 'bytes=-1-5'],
    ['as it stands', 'bytes=+1-2'],
    ['as it stands', 'bytes=٠-٩'],
    ['as it stands', 'bytes=0-9999999999999999'],
    ['as it stands', 'items=0-1'],
  ])('return the whole file, once: %s', async (_, range) => {
    const { statusCode, headers } = await ask({ range }, 'HEAD')
    expect([statusCode, headers['content-length'], headers['content-range']]).toEqual([200, String(SIZE), undefined])
  })

  it.each([
    ['bytes=0-999999999999999', 206, SIZE],
    ['bytes=-999999999999999', 206, SIZE],
    ['bytes=999999999999999-', 416, 0],
    [`bytes=${SIZE - 1}-`, 206, 1],
  ])('are cut to the length of the file: %s', async (range, status, length) => {
    const { statusCode, headers } = await ask({ range }, 'HEAD')
    expect([statusCode, Number(headers['content-length'])]).toEqual([status, length])
  })

  it.each([
    [{}, 200],
    [{ range: 'bytes=0-9' }, 206],
    [{ range: `bytes=${SIZE}-` }, 416],
  ] as const)('are answered under the same policy: %j', async (headers, status) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(headers, method)
      expect(answer.statusCode).toBe(status)
      expect(answer.headers).toMatchObject({
        'content-type': 'video/mp4',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    }
  })
})

describe('access to files of customers', () => {
  const statusFor = async (who: Visitor, method: 'GET' | 'HEAD' = 'GET') => {
    const own = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return (await shop.app.http.inject({ method, url: path, headers: { cookie: own, range: 'bytes=0-9' } })).statusCode
  }

  it('is denied to vendor staff without the permission, and to sales and drivers with it, also for HEAD requests', async () => {
    for (const [role, permissions, status] of [
      ['vendor_admin', '{}', 403],
      ['vendor_staff', '{whatsapp.write}', 403],
      ['vendor_sales', '{whatsapp.read,whatsapp.reply}', 403],
      ['driver', '{whatsapp.read,whatsapp.reply}', 403],
      // The sender is no vendor's customer yet.
      ['vendor_staff', '{whatsapp.read}', 206],
    ] as const) {
      const person = await makeVisitor(shop, { role, vendorId: 1 })
      await shop.query('update users set permissions = $2 where id = $1', [person.id, permissions])
      expect([role, await statusFor(person), await statusFor(person, 'HEAD')]).toEqual([role, status, status])
    }
  })

  it('is denied during impersonation and after the session has ended', async () => {
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    const target = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    expect(await statusFor(admin)).toBe(206)
    expect(
      (
        await admin.call(startImpersonation, {
          params: { userId: String(target.id) },
          body: { reason: 'They asked me to look' },
        })
      ).status,
    ).toBe(200)
    expect(await statusFor(admin)).toBe(403)
    await shop.query('delete from sessions where user_id = any($1)', [[admin.id, target.id]])
    expect(await statusFor(admin)).toBe(401)
  })

  it.each([`${path}/`, `${path}%00`, `${path}.mp4`, path.replace(/\d+$/, '-1'), path.replace(/\d+$/, '1e1')])(
    'returns 404 at %s',
    async (url) => {
      const { statusCode, headers } = await shop.app.http.inject({ method: 'GET', url, headers: { cookie } })
      expect([400, 404]).toContain(statusCode)
      expect(headers['content-type']).toMatch(/json/)
    },
  )
})

describe('a file deleted while it is served', () => {
  it('ends the connection before the announced length, and the next request returns 404', async () => {
    const reader = rawConnection(address)
    reader.socket.write(request())
    reader.socket.once('data', () => reader.socket.pause())
    await until('its first bytes', async () => reader.text().includes('200 OK'))
    await shop.query('delete from message_files')
    reader.socket.resume()
    await reader.closed
    expect(reader.text().length).toBeLessThan(SIZE)
    expect((await ask()).statusCode).toBe(404)
    expect((await shop.visitor().send('GET', '/readyz')).status).toBe(200)
  })
})
