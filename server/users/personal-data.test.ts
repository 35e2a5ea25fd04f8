import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eraseAccount as erase, exportAccount } from '@qatra/contract/users/auth'
import { getTableName } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Ctx } from '../database/context.ts'
import { dbOf } from '../database/db.ts'
import { cookieNames } from '../http/session-cookie.ts'
import { personalData } from '../personal-data.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { bottlesOf } from '../test/fixtures/bottles.ts'
import { makeProduct, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { seedPerson, staffSecrets } from '../test/fixtures/seed-person.ts'
import { eraseAccount } from './account.commands.ts'

const registered = personalData.map(({ table }) => getTableName(table))
const tables = Object.fromEntries(personalData.map((entry) => [getTableName(entry.table), entry]))
const isTelegramSimulator = (name: string) => name.startsWith('simulated_telegram')
const isDone = (duty: string) => !duty.startsWith('no: ')

/** Tables without personal data: the reason, and columns that only look personal. New columns need a decision here. */
const withoutPeople: Record<string, [why: string, ...columns: string[]]> = {
  api_keys: ['keys of programs, by their hash, named by staff', 'name', 'created_by', 'revoked_by'],
  alarms: ['kinds and figures'],
  answerer_turns: ['turns of staff', 'user_id'],
  areas: ['places', 'name', 'name_ar', 'centre_lat', 'centre_lng'],
  backups: ['times and sizes', 'bytes'],
  blocks: ['places', 'number', 'centre_lat', 'centre_lng'],
  bot_aliases: ['words by staff', 'text', 'landmark', 'answer_id', 'created_by'],
  bot_answers: ['texts by staff', 'updated_by'],
  campaign_send_rate: ['a clock', 'slowed_by'],
  customer_imports: ['what staff imported', 'file_name', 'created_by', 'undone_by'],
  canned_replies: ['texts by staff', 'body', 'body_ar', 'created_by', 'updated_by'],
  cash_closings: [
    'closed days of a vendor, and why one was opened again',
    'closed_by',
    'reopened_by',
    'reopen_reason',
    'driver_days',
  ],
  holidays: ['days', 'name', 'name_ar', 'created_by'],
  import_mappings: ['how files are read: fields by column'],
  model_requests: ['counts of requests by day'],
  notification_marks: ['how far staff have read', 'user_id'],
  notification_reads: ['what staff have read', 'user_id'],
  notifications: ['ids, for a week', 'contact_id', 'driver_id', 'former_driver_id', 'agent_id', 'by_id'],
  order_day_figures: ['sums', 'values'],
  order_days: ['days'],
  order_views: ['filters without free text, named by staff', 'name'],
  orphan_receipts: ['receipts of unknown messages', 'message_id'],
  owner_claims: ['hashes'],
  product_audit_history: ['acts of staff on products', 'changed_by', 'on_behalf_of', 'old_value', 'new_value', 'notes'],
  product_imports: ['what staff imported', 'file_name', 'created_by', 'undone_by', 'products'],
  products: ['goods', 'name', 'name_ar', 'created_by'],
  rate_limits: ['counts of networks and ids of accounts, for an hour'],
  remote_pictures: ['addresses of public pictures'],
  settings: ['facts of the company', 'value', 'updated_by'],
  telegram_chats: ['chats of staff: whether the bot may write there, and groups that got another id'],
  user_roles: ['roles', 'name', 'display_name', 'display_name_ar'],
  bottle_types: ['bottles of vendors', 'name', 'name_ar'],
  vendor_business: ['how vendors do business'],
  vendor_delivery_areas: ['ids'],
  vendors: [
    'companies',
    'name',
    'name_ar',
    'contact_number',
    'company_name',
    'company_name_ar',
    'company_address',
    'company_address_ar',
    'cr_number',
    'vat_number',
  ],
  webhook_deliveries: ['ids and states of orders'],
  webhook_endpoints: ['addresses of programs, with sealed secrets', 'created_by'],
  template_submissions: ['texts of the product', 'name'],
  whatsapp_keys: ['sealed keys of the account of the shop', 'name', 'updated_by'],
  whatsapp_account: ['the account and number of the shop'],
  whatsapp_account_notices: ['what the provider reports about the account of the shop', 'text'],
  whatsapp_auth: ['sealed keys of the linked device, named by the numbers it wrote to, until it is unlinked', 'value'],
  whatsapp_connection: ['the number of the shop', 'phone'],
  whatsapp_template_changes: ['what the provider reports about a template', 'from_value', 'to_value', 'reason'],
  whatsapp_templates: ['texts by staff', 'name', 'rejected_reason'],
}
const personal =
  /name|phone|number|address|user|contact|customer|driver|agent|author|_by$|by_id|behalf|body|text|content|notes?$|message|payload|ip_|lat$|lng|values?$|email|bytes|reason|variables/

let shop: TestShop
let vendorId: number
let productId: number
let adminId: number
beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10, hasBot: false })
  vendorId = await makeVendor(shop)
  productId = await makeProduct(shop, vendorId)
  adminId = (await makeUser(shop, { role: 'super_admin' })).id
})

let people = 0
async function person() {
  const visitor = await makeVisitor(shop)
  const tag = `p${(people += 1)}x`
  return { visitor, tag, ...(await seedPerson(shop, visitor, { tag, vendorId, productId, adminId })) }
}
type Seeded = Awaited<ReturnType<typeof person>>

const columnsOf = () =>
  shop.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(t.table_name))) order by 1, 2`,
  )

/** The rows of each table, or of one, that contain the person's texts, phone or id. */
async function rowsOf(
  { visitor, tag, messageId, fileHash, cartId, contactId }: Seeded,
  { query = shop.query, only }: { query?: TestShop['query']; only?: string } = {},
) {
  const texts = [`%canary-${tag}-%`, `%${visitor.phone.slice(1)}%`]
  const found: Record<string, string[]> = {}
  const names = only ? [only] : new Set((await columnsOf()).map(({ table }) => table))
  for (const name of names) {
    const rows = await query<{ row: string }>(
      `select t::text as row from ${name} t where t::text like any($1) order by 1`,
      [texts],
    )
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  const byId = {
    carts: ['user_id', visitor.id],
    cart_items: ['cart_id', cartId],
    conversation_cases: ['contact_id', contactId],
    customer_answers: ['user_id', visitor.id],
    customer_totals: ['user_id', visitor.id],
    message_files: ['message_id', messageId],
    media: ['sha256', fileHash],
  } as const
  for (const [name, [column, id]] of Object.entries(byId)) {
    if (only && name !== only) continue
    const rows = await query<{ row: string }>(`select t::text as row from ${name} t where ${column} = $1`, [id])
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return found
}

describe('the register of personal data', () => {
  it('lists each table once; every other table has a reason and no undecided column', async () => {
    expect(registered.length).toBe(new Set(registered).size)
    const columns = await columnsOf()
    const all = [...new Set(columns.map(({ table }) => table))]
    expect(all.filter((name) => !(name in tables) && !(name in withoutPeople))).toEqual([])
    expect([...registered, ...Object.keys(withoutPeople)].filter((name) => !all.includes(name))).toEqual([])
    const undecided = columns.filter(
      ({ table, column }) => !(table in tables) && personal.test(column) && !withoutPeople[table]?.includes(column, 1),
    )
    expect(undecided).toEqual([])
  })

  it('is the table in docs/trust.md', () => {
    const doc = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8')
    const lines = Object.entries(tables).map(([name, duty]) => `| \`${name}\` | ${duty.exported} | ${duty.erased} |`)
    expect(lines.filter((line) => !doc.includes(line))).toEqual([])
    expect(Object.keys(withoutPeople).filter((name) => !doc.includes(`\`${name}\``))).toEqual([])
  })
})

describe('an export', () => {
  it('contains rows of every registered table, and no data of other people or staff', async () => {
    const [own, other] = [await person(), await person()]
    const { status, body } = await own.visitor.call(exportAccount)
    expect([status, body['incomplete']]).toEqual([200, []])
    const withoutText = [
      'order_ratings',
      'conversation_cases',
      'carts',
      'cart_items',
      'bottle_balances',
      'customer_answers',
      'customer_totals',
      'delivery_attempts',
      'known_devices',
    ]
    // Their texts are omitted: a stranger's network, hashes, addresses of devices, and texts that repeat the order.
    const withheld = ['login_failures', 'legacy_outbox', 'message_files', 'media', 'push_subscriptions']
    for (const [name, { exported }] of Object.entries(tables)) {
      if (!isDone(exported)) continue
      const part = JSON.stringify(body[exported])
      expect([name, part !== undefined && part !== '[]']).toEqual([name, true])
      if ([...withoutText, ...withheld].includes(name)) continue
      expect([name, part.includes(own.canary(name))]).toEqual([name, true])
    }
    const [order] = body['orders'] as Record<string, unknown>[]
    for (const field of ['customerName', 'address', 'instructions', 'receiverName', 'receiverPhone'])
      expect([field, order?.[field]]).toEqual([field, own.canary('orders')])
    for (const field of ['placedBy', 'assignedDriverId', 'searchText', 'syncErrors'])
      expect(order).not.toHaveProperty(field)
    const [address] = body['addresses'] as Record<string, unknown>[]
    for (const field of ['receiverName', 'receiverPhone'])
      expect([field, address?.[field]]).toEqual([field, own.canary('addresses')])
    const files = body['messageFiles'] as { base64: string }[]
    expect(files.map(({ base64 }) => Buffer.from(base64, 'base64').toString()).sort()).toEqual([
      own.canary('media'),
      own.canary('message_files'),
    ])
    const whole = JSON.stringify(body)
    for (const foreign of [`canary-${other.tag}-`, other.visitor.phone.slice(1), ...staffSecrets])
      expect([foreign, whole.includes(foreign)]).toEqual([foreign, false])
    expect(whole).not.toContain(`"${adminId}"`)
  })

  it('contains the fact and time of an impersonation by staff', async () => {
    const { visitor } = await person()
    const { body } = await visitor.call(exportAccount)
    expect(body['sessions']).toContainEqual(
      expect.objectContaining({ by: 'staff', userAgent: null, createdAt: expect.any(String) }),
    )
    expect(body['audit']).toContainEqual(
      expect.objectContaining({ by: 'staff', inTheNameOf: 'person', ipAddress: null, newValues: null }),
    )
    expect(body['audit']).toContainEqual(expect.objectContaining({ by: 'person', ipAddress: '192.0.2.1' }))
  })

  it('keeps messages with their contact when the contact has changed its number', async () => {
    const { visitor } = await person()
    const [former] = await shop.query<{ id: number }>(
      `insert into contacts (phone) values ('+97338999888') returning id`,
    )
    await shop.query(
      `insert into whatsapp_messages (contact_id, to_number, direction, channel, content)
       values ($1, $2, 'outgoing', 'whatsapp', 'words to the former owner')`,
      [former?.id, visitor.phone],
    )
    expect(JSON.stringify((await visitor.call(exportAccount)).body)).not.toContain('former owner')
    expect((await visitor.call(erase)).status).toBe(200)
    expect(
      await shop.query(`select 1 from whatsapp_messages where content = 'words to the former owner'`),
    ).toHaveLength(1)
  })
})

describe('an erasure', () => {
  it('leaves no row with the person, and all rows of other people', async () => {
    const [own, other] = [await person(), await person()]
    const seeded = Object.keys(await rowsOf(own))
    // Tables with only ids and codes, tables of staff, and the simulator, which has its own tests.
    const notSeeded = ['bottle_balances', 'delivery_attempts', 'order_ratings', 'driver_runs', 'telegram_link_codes']
    const expected = Object.keys(tables).filter((name) => !notSeeded.includes(name) && !isTelegramSimulator(name))
    expect(seeded.sort()).toEqual(expected.sort())
    const before = await rowsOf(other)
    expect((await own.visitor.call(erase)).status).toBe(200)
    expect(await rowsOf(own)).toEqual({})
    expect(await rowsOf(other)).toEqual(before)
    expect((await shop.query('select total from orders where id = $1', [own.orderId]))[0]).toEqual({ total: 2150 })
    const { balances, entries } = await bottlesOf(shop, own.visitor.id)
    expect([balances, entries]).toMatchObject([[{ count: 3, deposit: 6000 }], [{ count: 3, deposit: 6000 }]])
  })

  let erased: Seeded
  beforeAll(async () => {
    erased = await person()
  })
  it.each(registered.filter((name) => tables[name]?.erase && !isTelegramSimulator(name)))(
    'without the part of %s leaves rows behind',
    async (left) => {
      const client = await shop.app.pool.connect()
      await client.query('begin')
      const user = {
        id: erased.visitor.id,
        phone: erased.visitor.phone,
        name: null,
        role: 'customer',
        vendorId: null,
      } as const
      const actor = {
        user: { ...user, permissions: [], language: 'ar' as const, isVerified: true },
        guestSession: null,
      }
      const ctx: Ctx = {
        db: dbOf(client),
        actor: { ...actor, impersonator: null, lang: 'ar' },
        now: new Date(),
        client: {
          ip: '::1',
          isForwarded: false,
          userAgent: '',
          sessionId: null,
          keyId: null,
          deviceToken: null,
          idempotencyKey: null,
          areaId: null,
        },
        afterCommit: () => undefined,
        setCookie: () => undefined,
        setHeader: () => undefined,
      }
      const others = personalData.filter(({ table }) => getTableName(table) !== left)
      await eraseAccount(ctx, cookieNames(false), others)
      const query: TestShop['query'] = async (text, values) => (await client.query(text, values)).rows
      const found = Object.keys(await rowsOf(erased, { query, only: left }))
      await client.query('rollback')
      client.release()
      expect(found).toContain(left)
    },
  )
})
