import {
  confirmPush,
  getPush,
  type PushMessage,
  subscribePush,
  unsubscribePush,
} from '@qatra/contract/notifications/push'
import { exportAccount, logout } from '@qatra/contract/users/auth'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { type PushServer, startPush } from '../test/simulators/push.ts'
import { isPushEndpoint } from './endpoints.ts'
import { pushGateway } from './gateway.ts'
import { listDevices } from './queries.ts'
import { vapidKeys } from './vapid.ts'

let shop: TestShop
let push: PushServer
beforeAll(async () => {
  push = await startPush()
  shop = await startShop({ role: 'web', pushServiceUrl: push.origin })
})
afterAll(() => push.stop())

const devicesOf = async (userId: number) => (await listDevices(shop.app.db, userId)).map(({ endpoint }) => endpoint)
/** A signed-in customer whose device receives notifications. */
async function subscriber() {
  const visitor = await makeVisitor(shop)
  const { body } = await visitor.call(getPush)
  const subscription = push.subscribe(body.publicKey)
  expect((await visitor.call(subscribePush, { body: subscription })).status).toBe(204)
  return { visitor, subscription }
}

const message: PushMessage = { id: 7, lang: 'ar', title: 'طلبك في الطريق', body: 'ماء', path: '/orders/A', tag: 'A' }
const deviceOf = ({ endpoint, keys }: ReturnType<PushServer['subscribe']>) => ({ endpoint, ...keys })

describe('addresses of push services', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/dGVzdA:APA91bF',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAAA',
    'https://web.push.apple.com/QGVzdA',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d',
  ])('%s is accepted', (address) => {
    expect(isPushEndpoint(address, null)).toBe(true)
  })

  it.each([
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com:8443/x',
    'https://fcm.googleapis.com@10.0.0.1/x',
    'https://user:word@fcm.googleapis.com/x',
    'https://fcm.googleapis.com.attacker.example/x',
    'https://attacker.example/fcm.googleapis.com',
    'https://evilpush.apple.com.attacker.example/x',
    'https://notify.windows.com/x',
    'https://attackernotify.windows.com/x',
    'https://fcm.googleapis.com/x#fragment',
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://0x7f.1/x',
    'https://localhost/x',
    'file:///etc/passwd',
    'fcm.googleapis.com/x',
    '',
  ])('%s is rejected', async (address) => {
    expect(isPushEndpoint(address, null)).toBe(false)
    const visitor = await makeVisitor(shop)
    const { keys } = push.subscribe()
    const { status, refusal } = await visitor.call(subscribePush, { body: { endpoint: address, keys } })
    expect([status, refusal.code]).toEqual([422, 'PUSH_SERVICE_UNKNOWN'])
    expect(await devicesOf(visitor.id)).toEqual([])
  })

  it('of the configured service are accepted, other ports of its host are not', () => {
    expect(isPushEndpoint(`${push.origin}/x`, push.origin)).toBe(true)
    expect(isPushEndpoint('http://127.0.0.1:1/x', push.origin)).toBe(false)
    expect(isPushEndpoint(`${push.origin}/x`, null)).toBe(false)
  })

  it('that resolve to private addresses receive nothing', async () => {
    const connected: unknown[] = []
    const gateway = pushGateway(shop.app.config, {
      resolve: async () => ['142.250.1.1', '10.0.0.1'],
      isAllowed: (address) => !address.startsWith('10.'),
      request: (options) => {
        connected.push(options)
        throw new Error('No connection is expected')
      },
    })
    const { keys } = push.subscribe()
    expect(await gateway.send({ endpoint: 'https://fcm.googleapis.com/x', ...keys }, message)).toBe('refused')
    expect(connected).toEqual([])
  })
})

describe('a subscription', () => {
  it('belongs to the session; the next one of the device replaces it', async () => {
    const { visitor, subscription } = await subscriber()
    expect((await visitor.call(getPush)).body.isOn).toBe(true)
    expect(await devicesOf(visitor.id)).toEqual([subscription.endpoint])
    const next = push.subscribe()
    await visitor.call(subscribePush, { body: next })
    await visitor.call(subscribePush, { body: next })
    expect(await devicesOf(visitor.id)).toEqual([next.endpoint])
    expect((await visitor.call(unsubscribePush)).status).toBe(204)
    expect([await devicesOf(visitor.id), (await visitor.call(getPush)).body.isOn]).toEqual([[], false])
  })

  it('ends with the sign-out of its device alone', async () => {
    const { visitor, subscription } = await subscriber()
    const other = await shop.visitor().signInAs(visitor.phone)
    const second = push.subscribe()
    await other.call(subscribePush, { body: second })
    expect((await devicesOf(visitor.id)).sort()).toEqual([subscription.endpoint, second.endpoint].sort())
    await visitor.call(logout)
    expect(await devicesOf(visitor.id)).toEqual([second.endpoint])
    expect(await shop.query('select 1 from push_subscriptions where endpoint = $1', [subscription.endpoint])).toEqual(
      [],
    )
  })

  it('ends with an expired session', async () => {
    const { visitor } = await subscriber()
    await shop.query(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [visitor.id])
    expect(await devicesOf(visitor.id)).toEqual([])
  })

  it('moves to the next account of the browser', async () => {
    const { visitor, subscription } = await subscriber()
    const next = await makeVisitor(shop)
    await next.call(subscribePush, { body: subscription })
    expect([await devicesOf(visitor.id), await devicesOf(next.id)]).toEqual([[], [subscription.endpoint]])
  })

  it('of an address that two sessions name at once is stored once', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => makeVisitor(shop)))
    const subscription = push.subscribe()
    const answers = await Promise.all(people.map((one) => one.call(subscribePush, { body: subscription })))
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 204))
    const rows = await shop.query('select 1 from push_subscriptions where endpoint = $1', [subscription.endpoint])
    expect(rows).toHaveLength(1)
  })

  it('of an admin gets no news of a person that the admin impersonates', async () => {
    const [admin, target] = [await makeVisitor(shop, { role: 'super_admin' }), await makeUser(shop)]
    await admin.call(subscribePush, { body: push.subscribe() })
    const params = { userId: String(target.id) }
    await admin.call(startImpersonation, { params, body: { reason: 'to help' } })
    expect(await devicesOf(target.id)).toEqual([])
    // The half hour is over, its end not yet recorded: the admin may subscribe, the row still names the target.
    await shop.query(`update sessions set created_at = now() - interval '31 minutes' where user_id = $1`, [target.id])
    expect((await admin.call(subscribePush, { body: push.subscribe() })).status).toBe(204)
    expect(await devicesOf(target.id)).toEqual([])
  })

  it('of more than ten devices of a person is used for the ten newest', async () => {
    const { visitor } = await subscriber()
    const endpoints: string[] = []
    for (let count = 0; count < 11; count += 1) {
      const device = await shop.visitor().signInAs(visitor.phone)
      const subscription = push.subscribe()
      await device.call(subscribePush, { body: subscription })
      endpoints.unshift(subscription.endpoint)
    }
    expect(await devicesOf(visitor.id)).toEqual(endpoints.slice(0, 10))
  })

  it('is in the export without its address and keys', async () => {
    const { visitor, subscription } = await subscriber()
    const { body } = await visitor.call(exportAccount)
    expect(body['notificationDevices']).toEqual([{ service: new URL(push.origin).host, createdAt: expect.any(String) }])
    const path = new URL(subscription.endpoint).pathname
    for (const secret of [path, ...Object.values(subscription.keys)]) expect(JSON.stringify(body)).not.toContain(secret)
  })
})

describe('a push message', () => {
  it('is encrypted for the browser and signed with a key that follows from the secret', async () => {
    const { visitor } = await subscriber()
    const { publicKey } = (await visitor.call(getPush)).body
    expect(publicKey).toBe(vapidKeys(shop.app.config.secret).publicKey)
    expect(vapidKeys(Buffer.alloc(32, 1)).publicKey).not.toBe(publicKey)
    const subscription = push.subscribe(publicKey)
    const result = await pushGateway(shop.app.config).send(deviceOf(subscription), message)
    expect([result, push.received(subscription)]).toEqual(['accepted', [message]])
    const request = push.requests.at(-1)
    expect(request?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '20', urgency: 'high' })
    expect(request?.bytes?.includes('طلبك')).toBe(false)
  })

  it('of another installation is refused', async () => {
    const subscription = push.subscribe(vapidKeys(shop.app.config.secret).publicKey)
    const other = pushGateway({ ...shop.app.config, secret: Buffer.alloc(32, 1) })
    expect(await other.send(deviceOf(subscription), message)).toBe('refused')
    expect(push.received(subscription)).toEqual([])
  })

  it.each([
    ['fails', 'refused'],
    ['too-many', 'refused'],
    ['breaks-off', 'accepted'],
    ['refuses', 'unanswered'],
  ] as const)('of a push service that %s is %s', async (fault, result) => {
    const subscription = push.subscribe()
    await push.be(fault)
    expect(await pushGateway(shop.app.config).send(deviceOf(subscription), message)).toBe(result)
    await push.be(null)
  })

  it('follows no redirect, and is not sent with invalid keys', async () => {
    const subscription = push.subscribe()
    const sent = push.requests.length
    await push.be((response) => response.writeHead(307, { location: 'http://127.0.0.1:1/inside' }).end())
    expect(await pushGateway(shop.app.config).send(deviceOf(subscription), message)).toBe('refused')
    await push.be(null)
    const device = { ...deviceOf(subscription), p256dh: Buffer.alloc(65, 9).toString('base64url') }
    expect(await pushGateway(shop.app.config).send(device, message)).toBe('gone')
    expect(push.requests.length).toBe(sent + 1)
  })
})

describe('a confirmation', () => {
  it('of a message of another person changes nothing', async () => {
    const [own, other] = [await makeVisitor(shop), await makeVisitor(shop)]
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (to_number, direction, channel, status) values ($1, 'outgoing', 'push', 'sent') returning id`,
      [own.phone],
    )
    const id = row?.id ?? 0
    const status = async () => (await shop.query('select status from whatsapp_messages where id = $1', [id]))[0]
    expect((await other.call(confirmPush, { body: { id } })).status).toBe(204)
    expect(await status()).toEqual({ status: 'sent' })
    expect((await own.call(confirmPush, { body: { id } })).status).toBe(204)
    expect(await status()).toEqual({ status: 'delivered' })
  })

  it('of a message of another channel changes nothing', async () => {
    const own = await makeVisitor(shop)
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (to_number, direction, channel, status) values ($1, 'outgoing', 'whatsapp', 'sent') returning id`,
      [own.phone],
    )
    await own.call(confirmPush, { body: { id: row?.id ?? 0 } })
    expect((await shop.query('select status from whatsapp_messages where id = $1', [row?.id]))[0]).toEqual({
      status: 'sent',
    })
  })
})
