import { expect, it } from 'vitest'
import type { MessageGateway } from '../providers/provider.ts'
import { startShop } from '../test/app.ts'
import { appThroughProxy } from '../test/database-proxy.ts'
import { draftCampaign, emptyCampaigns } from '../test/fixtures/campaigns.ts'
import { until } from '../test/fixtures/codes.ts'
import { sendNext } from './jobs.ts'

const shop = await startShop({ hasBot: false })

it('a message that the provider accepts while the database is away is recorded as sent when it is back', async () => {
  await emptyCampaigns(shop)
  const id = await draftCampaign(shop, 1)
  await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [id])
  const { proxy, app } = await appThroughProxy(shop)
  const gateway: MessageGateway = {
    hasWindow: true,
    markRead: async () => {},
    send: async () => {
      proxy.goAway()
      return { ok: true, messageId: 'wamid.away' }
    },
  }
  const sent = sendNext(app, gateway, id)
  await until('attempts', async () => proxy.refused() > 1)
  proxy.comeBack()
  expect(await sent).toBe('done')
  const rows = await shop.query('select status, whatsapp_message_id from template_sends where campaign_id = $1', [id])
  expect(rows).toEqual([{ status: 'sent', whatsapp_message_id: 'wamid.away' }])
})
