import { getMe } from '@qatra/contract/auth'
import { createLink } from '@qatra/contract/links-admin'
import { findSalesCustomer } from '@qatra/contract/sales'
import { listUsers } from '@qatra/contract/users'
import { previewCampaign } from '@qatra/contract/whatsapp-campaigns'
import { beforeAll, describe, expect, it } from 'vitest'
import { normalizePhones } from '../database/normalize-phones.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { signInByCode } from '../test/codes.ts'
import { meet } from '../test/identities.ts'
import { makeOrder, makeUser } from '../test/make.ts'
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

describe('phones stored in another spelling', () => {
  const warned: unknown[] = []
  const log = { info: () => {}, warn: (facts: unknown) => void warned.push(facts) }
  const normalize = () => normalizePhones(shop.app.db, log)
  const people = (...ids: number[]) =>
    shop.query<{ id: number; phone: string; name: string | null; role: string }>(
      'select id, phone, name, role from users where id = any($1) order by id',
      [ids],
    )

  it('are rewritten in every table with phones', async () => {
    const [old, canonical] = ['+9660501110001', '+966501110001']
    const { id } = await makeUser(shop, { phone: old })
    await makeOrder(shop, { userId: id, vendorId: 1, phone: old })
    const columns = await shop.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'character varying')
         and column_name ~ 'phone|number' and column_name !~ 'phone_number_id|cr_number|vat_number'
         -- Younger than the canonical form: it never held another.
         and table_name <> 'staff_invitations'`,
    )
    const [{ id: contactId } = { id: 0 }] = await shop.query<{ id: number }>(
      `insert into contacts (phone) values ($1) returning id`,
      [old],
    )
    await shop.query(`insert into whatsapp_conversation_threads (contact_id, phone_number) values ($1, $2)`, [
      contactId,
      old,
    ])
    await shop.query(`insert into bot_sessions (contact_id, phone_number) values ($1, $2)`, [contactId, old])
    await shop.query(`insert into bot_message_history (contact_id, phone_number) values ($1, $2)`, [contactId, old])
    await shop.query(
      `insert into whatsapp_messages (contact_id, from_number, to_number, direction, channel) values ($1, $2, $2, 'incoming', 'whatsapp')`,
      [contactId, old],
    )
    await shop.query(
      `insert into simulated_messages (id, phone, direction, channel, sealed_body) values ('s', $1, 'incoming', 'whatsapp', '')`,
      [old],
    )
    await shop.query(`update vendors set contact_number = $1 where id = 1`, [old])
    await shop.query(
      `insert into login_codes (phone, code_hash, digits, language, expires_at) values ($1, 'h', 4, 'ar', now())`,
      [old],
    )
    await shop.query(`insert into login_failures (phone, digits, is_trusted) values ($1, 4, false)`, [old])
    await shop.query(`insert into known_devices (id, phone) values ('d', $1)`, [old])
    await shop.query(
      `insert into login_proofs (phone, secret_hash, word_hash, language, expires_at) values ($1, 's', 'w', 'ar', now())`,
      [old],
    )
    await shop.query(
      `insert into whatsapp_connection (id, phone) values (1, $1) on conflict (id) do update set phone = $1`,
      [old],
    )
    await shop.query(
      `with c as (insert into template_campaigns (name, template_name, language, taken_out)
         values ('c', 't', 'en', jsonb_build_array(jsonb_build_object('phone', $1::text, 'variables', null))) returning id)
       insert into template_sends (campaign_id, recipient_phone) select id, $1 from c`,
      [old],
    )
    await shop.query(`insert into magic_links (phone, token, expires_at) values ($1, 't', now())`, [old])
    await shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, sender_phone, recipient_phone, has_parties)
       values ('e', 'message', '{}', $1, $1, true)`,
      [old],
    )
    const holders = async (phone: string) => {
      const found: string[] = []
      for (const { table_name: table, column_name: column } of columns) {
        const [row] = await shop.query(`select from "${table}" where "${column}" = $1 limit 1`, [phone])
        if (row) found.push(`${table}.${column}`)
      }
      return found
    }
    // The test covers every table with phones.
    expect(await holders(old)).toEqual(columns.map((one) => `${one.table_name}.${one.column_name}`))
    await normalize()
    expect(await holders(old)).toEqual([])
    expect(await holders(canonical)).toHaveLength(columns.length)
    expect(
      await shop.query(`select from template_campaigns where taken_out::text like $1`, [`%${canonical}%`]),
    ).toHaveLength(1)
  })

  it('of two customers are merged: the older account gets the number, orders and cart', async () => {
    await shop.query('delete from backfills')
    const older = await makeUser(shop, { phone: '+9660501110002', name: 'Noura' })
    const younger = await makeUser(shop, { phone: '+966501110002', name: 'N' })
    const order = await makeOrder(shop, { userId: younger.id, vendorId: 1, phone: '+966501110002' })
    await shop.query(
      `with c as (insert into carts (user_id, vendor_id) values ($1, 1) returning id)
       insert into cart_items (cart_id, vendor_id, product_id)
         select c.id, 1, (select min(id) from products where vendor_id = 1) from c`,
      [younger.id],
    )
    await shop.query(`insert into customer_notes (user_id, body) values ($1, 'Gate 2')`, [younger.id])
    await normalize()
    expect(await people(older.id, younger.id)).toEqual([
      { id: older.id, phone: '+966501110002', name: 'Noura', role: 'customer' },
      { id: younger.id, phone: `erased-${younger.id}`, name: null, role: 'customer' },
    ])
    expect(await shop.query('select id from orders where user_id = $1', [older.id])).toEqual([{ id: order }])
    expect(
      await shop.query('select from cart_items where cart_id in (select id from carts where user_id = $1)', [older.id]),
    ).toHaveLength(1)
    expect(await shop.query('select from customer_notes where user_id = $1', [older.id])).toHaveLength(1)
    expect(
      await shop.query('select order_count from customer_totals where user_id = $1 and vendor_id = 0', [older.id]),
    ).toEqual([{ order_count: 1 }])
    expect(
      await shop.query(`select old_values from audit_log where action = 'joined' and resource_id = $1`, [
        String(older.id),
      ]),
    ).toEqual([{ old_values: { joinedUserId: younger.id } }])
    const visitor = await signInByCode(shop, '+966 (0)50 111 0002')
    expect((await visitor.call(getMe)).body.id).toBe(older.id)
  })

  it('of a customer and a staff member stay, with a warning at every startup until both are customers', async () => {
    await shop.query('delete from backfills')
    const customer = await makeUser(shop, { phone: '+966501110003' })
    const driver = await makeUser(shop, { phone: '+9660501110003', role: 'driver', vendorId: 1 })
    const before = await people(customer.id, driver.id)
    for (const _ of [1, 2]) {
      warned.length = 0
      await normalize()
      expect(warned).toEqual([{ userIds: [customer.id, driver.id], phone: '+966****0003' }])
      expect(await people(customer.id, driver.id)).toEqual(before)
    }
    await shop.query(`update users set role = 'customer', vendor_id = null where id = $1`, [driver.id])
    warned.length = 0
    await normalize()
    expect(warned).toEqual([])
    expect((await people(customer.id, driver.id)).map(({ phone }) => phone)).toEqual([
      '+966501110003',
      `erased-${driver.id}`,
    ])
    expect(await shop.query('select name from backfills')).toEqual([{ name: 'canonical-phones' }])
  })
})
