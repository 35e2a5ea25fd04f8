import { storeMedia } from '../media/commands.ts'
import type { TestShop } from './app.ts'
import { everything, type Row, type Sent, unknown } from './matrix-row.ts'

let made = 0

/** A conversation with a message of the customer from a moment ago. */
export async function conversationIn(shop: TestShop, { hoursAgo = 0 } = {}) {
  const phone = `+97339${String(400_000 + (made += 1))}`
  const [row] = await shop.query<{ id: number }>(
    `with c as (insert into contacts (phone, name) values ($1, 'Matrix') returning id),
     t as (insert into whatsapp_conversation_threads (contact_id, phone_number, last_incoming_at)
           select id, $1, now() - $2 * interval '1 hour' from c)
     select id from c`,
    [phone, hoursAgo],
  )
  return { contact: row?.id ?? 0, phone }
}

const about = (body?: unknown, more: Sent['params'] = {}): Row[] => [
  {
    name: 'known',
    status: 200,
    send: async (shop) => ({ params: { contact: (await conversationIn(shop)).contact, ...more }, body }),
  },
  unknown({ contact: 9_999_999, ...more }, body),
]

async function failedIn(shop: TestShop): Promise<Sent> {
  const { contact } = await conversationIn(shop)
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

async function pictureIn(shop: TestShop): Promise<number> {
  const { contact } = await conversationIn(shop)
  const [row] = await shop.query<{ message_id: number }>(
    `with m as (insert into whatsapp_messages (contact_id, direction, channel, message_type, status)
       values ($1, 'incoming', 'whatsapp', 'image', 'received') returning id)
     insert into message_files (message_id, sha256, size) select id, $2, 4 from m returning message_id`,
    [contact, await storeMedia(shop.app.db, picture, 'private')],
  )
  return row?.message_id ?? 0
}

async function fileIn(shop: TestShop, problem: string | null = null): Promise<number> {
  const { contact } = await conversationIn(shop)
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
const canned = (body?: unknown): Row[] => [
  { name: 'known', status: 200, send: async (shop) => ({ params: (await cannedIn(shop)) ?? {}, body }) },
  unknown(undefined, body),
]

const BASE = '/api/admin/whatsapp'

export const inboxRows: Readonly<Record<string, Row[]>> = {
  [`GET ${BASE}/conversations`]: [everything()],
  [`GET ${BASE}/conversations/{contact}`]: about(),
  [`GET ${BASE}/conversations/{contact}/messages`]: about(),
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
    unknown(),
  ],
  [`GET ${BASE}/files/{id}`]: [
    { name: 'kept', status: 200, send: async (shop) => ({ params: { id: await fileIn(shop) } }) },
    { name: 'only named', status: 404, send: async (shop) => ({ params: { id: await fileIn(shop, 'away') } }) },
    unknown(),
  ],
  [`POST ${BASE}/files/{id}/fetch`]: [
    { name: 'only named', status: 200, send: async (shop) => ({ params: { id: await fileIn(shop, 'away') } }) },
    { name: 'kept', status: 200, send: async (shop) => ({ params: { id: await fileIn(shop) } }) },
    unknown(),
  ],
  [`POST ${BASE}/conversations/{contact}/messages/{id}/retry`]: [
    { name: 'failed', status: 200, send: failedIn },
    {
      name: 'unknown',
      status: 404,
      send: async (shop) => ({ params: { contact: (await conversationIn(shop)).contact, id: 999_999_999 } }),
    },
  ],
  [`POST ${BASE}/conversations/{contact}/read`]: about({}),
  [`PUT ${BASE}/conversations/{contact}/assignment`]: about({ userId: null }),
  [`POST ${BASE}/conversations/{contact}/takeover`]: about({}),
  [`POST ${BASE}/conversations/{contact}/handback`]: about(),
  [`POST ${BASE}/conversations/{contact}/notes`]: about({ body: 'Rings twice' }),
  [`PUT ${BASE}/conversations/{contact}/opt-out`]: about({ isOut: true }),
  [`GET ${BASE}/people`]: [everything()],
  [`GET ${BASE}/reply-templates`]: [everything()],
  [`GET ${BASE}/canned-replies`]: [everything()],
  [`POST ${BASE}/canned-replies`]: [
    {
      name: 'new',
      status: 200,
      send: () => ({ body: { shortcut: `new-${(made += 1)}`, title: 'A', titleAr: 'ا', body: 'B', bodyAr: 'ب' } }),
    },
  ],
  [`PATCH ${BASE}/canned-replies/{id}`]: canned({ title: 'Other' }),
  [`DELETE ${BASE}/canned-replies/{id}`]: canned(),
  [`GET ${BASE}/status`]: [everything()],
  [`POST ${BASE}/reset`]: [everything()],
}
