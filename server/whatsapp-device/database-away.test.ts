import { expect, it } from 'vitest'
import type { DeviceMessage } from '../providers/whatsapp-device/library.ts'
import { startShop } from '../test/app.ts'
import { testConfig } from '../test/config.ts'
import { appThroughProxy } from '../test/database-proxy.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { simulateDevice } from '../test/simulators/whatsapp-device.ts'
import { linkDevice } from './device.jobs.ts'

const whatsapp = { ...testConfig().whatsapp, provider: 'web' } as const
const shop = await startShop({ simulator: false, hasBot: false, whatsapp })

async function linkThroughProxy() {
  const { proxy, app } = await appThroughProxy(shop)
  const { library, sockets, last } = simulateDevice()
  const device = await linkDevice(app, library, { intervalMs: 1 })
  return {
    proxy,
    device,
    sockets,
    close: () => last().tell('connection.update', { connection: 'close' }),
    receive: (messages: DeviceMessage[]) => last().tell('messages.upsert', { type: 'notify', messages }),
  }
}

it('messages received while the database is away are stored in order, also by a process that is ending', async () => {
  const { proxy, device, receive } = await linkThroughProxy()
  const remoteJid = `${newPhone().slice(1)}@s.whatsapp.net`
  const messageOf = (id: string) => ({
    key: { id, remoteJid },
    messageTimestamp: 1795251222,
    message: { conversation: id },
  })
  const unreadable = {
    ...messageOf('UNREADABLE'),
    get message(): Record<string, unknown> {
      throw new Error('A message that cannot be read')
    },
  }
  proxy.goAway()
  receive([messageOf('FIRST'), unreadable, messageOf('SECOND')])
  const stopped = device.stop()
  await until('attempts', async () => proxy.refused() > 5)
  proxy.comeBack()
  await stopped
  const rows = await shop.query<{ id: string }>(
    `select raw_payload::jsonb #>> '{value,messages,0,id}' as id from whatsapp_webhook_events order by id`,
  )
  expect(rows.map(({ id }) => id)).toEqual(['web.FIRST', 'web.SECOND'])
})

it('a connection that closes while the database is away is opened again when it is back', async () => {
  const { proxy, device, sockets, close } = await linkThroughProxy()
  proxy.goAway()
  close()
  await until('attempts', async () => proxy.refused() > 1)
  expect(sockets).toHaveLength(1)
  proxy.comeBack()
  await until('the second connection', async () => sockets.length === 2)
  await device.stop()
})
