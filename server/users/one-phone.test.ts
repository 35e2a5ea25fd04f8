import { createLink } from '@qatra/contract/links/admin'
import { findSalesCustomer } from '@qatra/contract/sales'
import { getMe } from '@qatra/contract/users/auth'
import { listUsers } from '@qatra/contract/users/users'
import { previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { signInByCode } from '../test/fixtures/codes.ts'
import { meet } from '../test/fixtures/identities.ts'
import { makeUser } from '../test/fixtures/make.ts'
import { parseEvent } from '../webhooks/parse-event.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ codeCountries: ['BH', 'SA', 'AE', 'KW', 'OM', 'QA'] })
})

const arabic = (text: string) => text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))

describe('one phone', () => {
  it.each([
    ['Bahrain', '+97336123456', ['973 (0)3612 3456', '00973-36123456', '36123456']],
    ['Saudi Arabia', '+966501239999', ['+966 (0)50 123 9999', '00966 050 1239999', '966501239999']],
    ['the Emirates', '+971501234567', ['+971 (0)50-123-4567', '0097150 1234567']],
    ['Kuwait', '+96550012345', ['+965 (0)5001 2345', '0096550012345']],
    ['Oman', '+96892123456', ['+968 (0)92 123 456', '00968 92123456']],
    ['Qatar', '+97433123456', ['+974 (0)3312 3456', '00974.33123456']],
  ])('of %s is one account, however it is typed at sign-in', async (_, phone, spellings) => {
    const ids = new Set<number>()
    for (const typed of [phone, ...spellings, arabic(spellings[0] ?? phone)]) {
      const visitor = await signInByCode(shop, typed)
      const { body } = await visitor.call(getMe)
      expect(body.phone).toBe(phone)
      ids.add(body.id)
    }
    expect(ids.size).toBe(1)
  })

  it('is found in any spelling by sales, magic links, search and campaign lists', async () => {
    const phone = '+966501238888'
    const typed = '+966 (0)50 123 8888'
    const { id } = await makeUser(shop, { phone, name: 'Noura' })
    const admin = await meet(shop, 'super_admin')
    const found = await admin.call(findSalesCustomer, { query: { phone: typed } })
    expect(found.body).toMatchObject({ id, phone })
    const link = await admin.call(createLink, { body: { phone: typed } })
    expect(link.status).toBe(200)
    expect(await shop.query('select phone from magic_links where phone like $1', ['%1238888'])).toEqual([{ phone }])
    for (const search of [typed, '050 123 8888', '00966 50 123 8888', '501238888', '8888']) {
      const { body } = await admin.call(listUsers, { query: { search } })
      expect(body.items.map((one) => one.id)).toContain(id)
    }
    const recipients = [{ phone: typed }, { phone }]
    const { body } = await admin.call(previewCampaign, {
      body: { templateName: 'water_reminder', language: 'en', recipients },
    })
    expect(body).toMatchObject({ exclusions: { repeated: 1 } })
  })

  it('is the same in WhatsApp webhooks', () => {
    const value = { messages: [{ id: 'wamid.1', from: '9660501237777', type: 'text', text: { body: 'hi' } }] }
    expect(parseEvent({ field: 'messages', value }, new Date())).toMatchObject([
      { message: { from: { phone: '+966501237777' } } },
    ])
  })
})
