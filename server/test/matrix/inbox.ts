import { storeMedia } from '../../media/commands.ts'
import type { TestShop } from '../app.ts'
import { makeOrder, makeUser } from '../fixtures/make.ts'
import { everything, ofEachVendor, type Row, type Sent, unknown } from './row.ts'

let made = 0

/** A conversation with a message of the customer from a moment ago: a vendor's customer, or nobody's. */
export async function conversationIn(shop: TestShop, { hoursAgo = 0, vendorId = null as number | null } = {}) {
  const phone = `+97339${String(400_000 + (made += 1))}`
  if (vendorId !== null) await customerOf(shop, vendorId, phone)
  const [row] = await shop.query<{ id: number }>(
    `with c as (insert into contacts (phone, name) values ($1, 'Matrix') returning id),
     t as (insert into whatsapp_conversation_threads (contact_id, phone_number, last_incoming_at)
           select id, $1, now() - $2 * interval '1 hour' from c)
     select id from c`,
    [phone, hoursAgo],
  )
  return { contact: row?.id ?? 0, phone }
}

/** A customer with an order of the vendor. */
async function customerOf(shop: TestShop, vendorId: number, phone: string): Promise<void> {
  const { id: userId } = await makeUser(shop, { phone })
  await makeOrder(shop, { userId, vendorId })
}

/** A conversation of the vendor's customer with something in the cart. */
async function cartIn(shop: TestShop, vendorId: number): Promise<{ contact: number; itemId: number }> {
  const { contact, phone } = await conversationIn(shop, { vendorId })
  const [row] = await shop.query<{ id: number }>(
    `with c as (insert into carts (user_id, vendor_id) select id, $2 from users where phone = $1 returning id)
     insert into cart_items (cart_id, vendor_id, product_id, quantity)
     select c.id, $2, (select min(id) from products where vendor_id = $2 and is_active), 2 from c returning id`,
    [phone, vendorId],
  )
  return { contact, itemId: row?.id ?? 0 }
}

const about = (body?: unknown, more: Sent['params'] = {}, query: NonNullable<Sent['query']> = {}): Row[] => [
  {
    name: 'known',
    status: 200,
    send: async (shop) => ({ params: { contact: (await conversationIn(shop)).contact, ...more }, body, query }),
  },
  ...ofEachVendor(async (shop, vendorId) => ({
    params: { contact: (await conversationIn(shop, { vendorId })).contact, ...more },
    body,
    query,
  })),
  {
    ...unknown({ contact: 9_999_999, ...more }, body),
    send: () => ({ params: { contact: 9_999_999, ...more }, body, query }),
  },
]

async function failedIn(shop: TestShop, vendorId: number | null = null): Promise<Sent> {
  const { contact } = await conversationIn(shop, { vendorId })
  const [row] = await shop.query<{ id: number }>(
    `insert into whatsapp_messages (contact_id, direction, channel, content, payload, status)
     values ($1, 'outgoing', 'whatsapp', 'Hello', '{"type":"text","text":"Hello"}', 'failed') returning id`,
    [contact],
  )
  return { params: { contact, id: row?.id ?? 0 } }
}

/** An approved template, as every simulator has it. */
async function templateWithoutGaps(shop: TestShop) {
  const [row] = await shop.query<{ name: string; language: string }>(
    `select name, language from whatsapp_templates
     where status = 'APPROVED' and not components::text like '%{{%' order by id limit 1`,
  )
  return { name: row?.name ?? '', language: row?.language ?? '' }
}

const picture = { bytes: Buffer.from('RIFF'), mimeType: 'image/webp', width: 1, height: 1 } as const
const pdf = { bytes: Buffer.from('%PDF'), mimeType: 'application/pdf' } as const

async function pictureIn(shop: TestShop, vendorId: number | null = null): Promise<number> {
  const { contact } = await conversationIn(shop, { vendorId })
  const [row] = await shop.query<{ message_id: number }>(
    `with m as (insert into whatsapp_messages (contact_id, direction, channel, message_type, status)
       values ($1, 'incoming', 'whatsapp', 'image', 'received') returning id)
     insert into message_files (message_id, sha256, size) select id, $2, 4 from m returning message_id`,
    [contact, await storeMedia(shop.app.db, picture, 'private')],
  )
  return row?.message_id ?? 0
}

interface FileIn {
  problem?: string | null
  vendorId?: number | null
}
async function fileIn(shop: TestShop, { problem = null, vendorId = null }: FileIn = {}): Promise<number> {
  const { contact } = await conversationIn(shop, { vendorId })
  const [row] = await shop.query<{ message_id: number }>(
    `with m as (insert into whatsapp_messages (contact_id, direction, channel, message_type, status, payload)
       values ($1, 'incoming', 'whatsapp', 'document', 'received', '{"mediaId":"m"}') returning id)
     insert into message_files (message_id, sha256, size, problem) select id, $2, 4, $3 from m returning message_id`,
    [contact, problem === null ? await storeMedia(shop.app.db, pdf, 'private') : null, problem],
  )
  return row?.message_id ?? 0
}

async function cannedIn(shop: TestShop): Promise<Sent['params']> {
  const [row] = await shop.query<{ id: number }>(
    `insert into canned_replies (shortcut, title, title_ar, body, body_ar) values ($1, 'A', 'ا', 'B', 'ب') returning id`,
    [`matrix-${(made += 1)}`],
  )
  return { id: row?.id ?? 0 }
}
/** Each time others. */
const settings = () => ({
  waitMinutes: 11 + ((made += 1) % 100),
  rules: [],
  hours: Array.from({ length: 7 }, () => null),
  closedText: '',
  closedTextAr: '',
  asksRating: false,
})

const canned = (body?: unknown): Row[] => [
  { name: 'known', status: 200, send: async (shop) => ({ params: (await cannedIn(shop)) ?? {}, body }) },
  unknown(undefined, body),
]

const BASE = '/api/admin/whatsapp'

export const inboxRows: Readonly<Record<string, Row[]>> = {
  [`GET ${BASE}/conversations`]: [everything()],
  [`GET ${BASE}/conversations/{contact}`]: about(),
  [`GET ${BASE}/conversations/{contact}/messages`]: about(),
  [`GET ${BASE}/conversations/{contact}/cart`]: about(),
  [`PATCH ${BASE}/conversations/{contact}/cart/{itemId}`]: [
    {
      name: 'no such item',
      status: 404,
      send: async (shop) => ({
        params: { contact: (await conversationIn(shop)).contact, itemId: 999_999 },
        body: { quantity: 1 },
      }),
    },
    ...ofEachVendor(async (shop, vendorId) => ({
      params: await cartIn(shop, vendorId),
      body: { quantity: 1 },
    })),
    unknown({ contact: 9_999_999, itemId: 1 }, { quantity: 1 }),
  ],
  [`POST ${BASE}/conversations/{contact}/cart/confirmation`]: [
    {
      name: 'an empty cart',
      status: 409,
      send: async (shop) => ({ params: { contact: (await conversationIn(shop)).contact } }),
    },
    ...ofEachVendor(async (shop, vendorId) => ({ params: await cartIn(shop, vendorId) })),
    unknown({ contact: 9_999_999 }),
  ],
  // Files are uploaded as a form; inbox/sending-files.test.ts tests that.
  [`POST ${BASE}/uploads`]: [{ name: 'no form', status: 415, send: () => ({ body: {} }) }],
  [`POST ${BASE}/conversations/{contact}/messages`]: [
    ...about({ body: 'Hello' }),
    {
      name: 'a day too late',
      status: 422,
      send: async (shop) => ({
        params: { contact: (await conversationIn(shop, { hoursAgo: 25 })).contact },
        body: { body: 'Hello' },
      }),
    },
  ],
  [`POST ${BASE}/conversations`]: [
    {
      name: 'a number that never wrote',
      status: 200,
      send: async (shop) => ({
        body: { phone: `+97336${String(410_000 + (made += 1))}`, template: await templateWithoutGaps(shop) },
      }),
    },
    {
      name: 'no mobile',
      status: 422,
      send: async (shop) => ({ body: { phone: '+97317000000', template: await templateWithoutGaps(shop) } }),
    },
  ],
  [`GET ${BASE}/pictures/{id}`]: [
    { name: 'kept', status: 200, send: async (shop) => ({ params: { id: await pictureIn(shop) } }) },
    ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await pictureIn(shop, vendorId) } })),
    unknown(),
  ],
  [`GET ${BASE}/files/{id}`]: [
    { name: 'kept', status: 200, send: async (shop) => ({ params: { id: await fileIn(shop) } }) },
    ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await fileIn(shop, { vendorId }) } })),
    {
      name: 'only named',
      status: 404,
      send: async (shop) => ({ params: { id: await fileIn(shop, { problem: 'away' }) } }),
    },
    unknown(),
  ],
  [`POST ${BASE}/files/{id}/fetch`]: [
    {
      name: 'only named',
      status: 200,
      send: async (shop) => ({ params: { id: await fileIn(shop, { problem: 'away' }) } }),
    },
    { name: 'kept', status: 200, send: async (shop) => ({ params: { id: await fileIn(shop) } }) },
    ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await fileIn(shop, { vendorId }) } })),
    unknown(),
  ],
  [`POST ${BASE}/conversations/{contact}/messages/{id}/retry`]: [
    { name: 'failed', status: 200, send: (shop) => failedIn(shop) },
    ...ofEachVendor((shop, vendorId) => failedIn(shop, vendorId)),
    {
      name: 'unknown',
      status: 404,
      send: async (shop) => ({ params: { contact: (await conversationIn(shop)).contact, id: 999_999_999 } }),
    },
  ],
  [`POST ${BASE}/conversations/{contact}/read`]: about({}),
  [`PUT ${BASE}/conversations/{contact}/assignment`]: about({ userId: null, from: null }),
  [`POST ${BASE}/conversations/{contact}/takeover`]: about({}),
  [`POST ${BASE}/conversations/{contact}/handback`]: about(),
  [`POST ${BASE}/conversations/{contact}/resolve`]: about({ upTo: null }),
  [`POST ${BASE}/conversations/{contact}/reopen`]: about(),
  [`PUT ${BASE}/conversations/{contact}/snooze`]: about({ until: new Date(Date.now() + 86_400_000).toISOString() }),
  [`PATCH ${BASE}/conversations/{contact}/labels`]: about({ add: ['Delay'] }),
  [`POST ${BASE}/conversations/{contact}/presence`]: about({ state: 'looking' }),
  [`GET ${BASE}/labels`]: [everything()],
  [`POST ${BASE}/conversations/{contact}/notes`]: about({ body: 'Rings twice' }),
  [`PUT ${BASE}/conversations/{contact}/opt-out`]: about({ isOut: true }),
  [`PUT ${BASE}/conversations/{contact}/mute`]: about({ isMuted: true }),
  [`PUT ${BASE}/conversations/{contact}/block`]: about({ reason: 'Insults' }),
  [`GET ${BASE}/conversations/{contact}/search`]: about(undefined, {}, { search: 'water' }),
  [`GET ${BASE}/conversations/{contact}/messages.txt`]: about(),
  [`GET ${BASE}/people`]: [everything()],
  [`GET ${BASE}/duty`]: [everything()],
  [`PUT ${BASE}/duty`]: [{ name: 'off', status: 200, send: () => ({ body: { isAway: true } }) }],
  [`GET ${BASE}/inbox-settings`]: [everything()],
  [`PUT ${BASE}/inbox-settings`]: [{ name: 'changed', status: 200, send: () => ({ body: settings() }) }],
  'GET /api/admin/reports/conversations': [everything()],
  'GET /api/admin/reports/conversations.csv': [everything()],
  [`GET ${BASE}/reply-templates`]: [everything()],
  [`GET ${BASE}/canned-replies`]: [everything()],
  [`POST ${BASE}/canned-replies`]: [
    {
      name: 'new',
      status: 200,
      send: () => ({ body: { shortcut: `new-${(made += 1)}`, title: 'A', titleAr: 'ا', body: 'B', bodyAr: 'ب' } }),
    },
  ],
  [`POST ${BASE}/canned-replies/import`]: [
    // Files are uploaded as a form; server/inbox/replies.test.ts tests that.
    { name: 'no form', status: 415, send: () => ({ body: {} }) },
  ],
  [`PATCH ${BASE}/canned-replies/{id}`]: canned({ title: 'Other' }),
  [`DELETE ${BASE}/canned-replies/{id}`]: canned(),
  [`GET ${BASE}/status`]: [everything()],
  [`POST ${BASE}/reset`]: [everything()],
  [`GET ${BASE}/setup`]: [everything()],
  [`PUT ${BASE}/setup/keys`]: [{ name: 'without keys', status: 200, send: () => ({ body: {} }) }],
  [`POST ${BASE}/setup/check`]: [{ name: 'of the simulator', status: 200 }],
  [`POST ${BASE}/setup/subscription`]: [{ name: 'of the simulator', status: 200 }],
  [`POST ${BASE}/setup/templates`]: [{ name: 'of the simulator', status: 200 }],
}
