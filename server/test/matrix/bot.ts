import type { TestShop } from '../app.ts'
import { conversationIn } from './inbox.ts'
import { everything, NO_ID, type Row, unknown } from './row.ts'

let made = 0
/** A phrase that no other row uses, of letters alone. */
const phrase = () =>
  `zubb ${String((made += 1))
    .split('')
    .map((digit) => 'jklmnpqrst'[Number(digit)])
    .join('')}zz wuxu`
const texts = { ar: 'نعم', en: 'Yes' }

async function answerIn(shop: TestShop): Promise<string> {
  const [row] = await shop.query<{ id: number }>(
    `insert into bot_answers (title, ar, en) values ('Matrix', 'نعم', 'Yes') returning id`,
  )
  return `own:${row?.id ?? 0}`
}

async function aliasIn(shop: TestShop): Promise<number> {
  const text = phrase()
  const [row] = await shop.query<{ id: number }>(
    `insert into bot_aliases (text, key, topic) values ($1, $1, 'payment') returning id`,
    [text],
  )
  return row?.id ?? 0
}

/** A message that was not understood; its key. */
async function missIn(shop: TestShop, key: string): Promise<string> {
  const { contact } = await conversationIn(shop)
  await shop.query(
    `with m as (insert into whatsapp_messages (contact_id, direction, channel, message_type, status)
       values ($1, 'incoming', 'whatsapp', 'text', 'received') returning id)
     insert into bot_misses (contact_id, message_id, key, text) select $1, id, $2, $2 from m`,
    [contact, key],
  )
  return key
}

const BASE = '/api/admin/whatsapp/bot'
const misses = (): Row[] => [
  { name: 'listed', status: 200, send: async (shop) => ({ body: { key: await missIn(shop, phrase()) } }) },
  unknown(undefined, { key: 'nobody wrote this' }),
]

export const botRows: Readonly<Record<string, Row[]>> = {
  [`GET ${BASE}/answers`]: [everything()],
  [`POST ${BASE}/answers`]: [
    { name: 'new', status: 200, send: () => ({ body: { title: 'Taste', ...texts, phrase: phrase() } }) },
    {
      name: 'for a command',
      status: 409,
      send: () => ({ body: { title: 'Taste', ...texts, phrase: 'cancel my order' } }),
    },
  ],
  [`PUT ${BASE}/answers/{key}`]: [
    {
      name: 'added',
      status: 200,
      send: async (shop) => ({
        params: { key: await answerIn(shop) },
        body: { ...texts, title: 'Other', version: 1 },
      }),
    },
    {
      name: 'stale',
      status: 409,
      send: async (shop) => ({ params: { key: await answerIn(shop) }, body: { ...texts, version: 7 } }),
    },
    unknown({ key: `own:${NO_ID}` }, { ...texts, version: 1 }),
  ],
  [`DELETE ${BASE}/answers/{key}`]: [
    {
      name: 'added',
      status: 200,
      send: async (shop) => ({ params: { key: await answerIn(shop) }, query: { version: '1' } }),
    },
    { ...unknown(), send: () => ({ params: { key: `own:${NO_ID}` }, query: { version: '1' } }) },
  ],
  [`GET ${BASE}/targets`]: [everything()],
  [`GET ${BASE}/aliases`]: [everything()],
  [`POST ${BASE}/aliases`]: [
    { name: 'new', status: 200, send: () => ({ body: { text: phrase(), type: 'vendor', target: '1' } }) },
    { name: 'of nothing', status: 404, send: () => ({ body: { text: phrase(), type: 'vendor', target: '999999' } }) },
    { name: 'taken', status: 409, send: () => ({ body: { text: 'المحرق', type: 'vendor', target: '1' } }) },
  ],
  [`DELETE ${BASE}/aliases/{id}`]: [
    { name: 'known', status: 200, send: async (shop) => ({ params: { id: await aliasIn(shop) } }) },
    unknown(),
  ],
  [`GET ${BASE}/misses`]: [everything()],
  [`POST ${BASE}/misses/dismiss`]: misses(),
  [`POST ${BASE}/misses/restore`]: misses(),
}
