import { dropIndexes } from './admin-fill.mjs'

const texts = [
  'أريد كرتونين ماء من فضلك',
  'متى يصل الطلب اليوم؟',
  'شكرا جزيلا',
  'Where is my order please',
  'Two boxes of 500 ml to block 428',
  'تم تأكيد طلبك وسيصلك غدا',
  'Your order is on its way',
  'السلام عليكم',
  'I would like to change the address',
  'نعم',
]
const bulky = [
  'contacts',
  'whatsapp_messages',
  'whatsapp_conversation_threads',
  'audit_log',
  'addresses',
  'carts',
  'cart_items',
]

/**
 * Adds to a database filled by `fillAdmin`: a conversation for each customer, messages, the audit log, carts and
 * addresses. `open` of the latest conversations wait for staff or are unread, as many in a market of any age.
 */
export async function fillInbox(db, { messages, audits, days, open }) {
  await db.query('set session_replication_role = replica')
  const createIndexes = await dropIndexes(db, bulky)
  await db.query(
    `insert into contacts (phone, name, language, opted_out_at)
     select phone, case when id % 3 > 0 then name end, 'ar', case when id % 50 = 0 then now() end from users where role = 'customer' order by id`,
  )
  const { rows } = await db.query('select min(id) as least, count(*)::integer as count from contacts')
  const [{ least, count }] = rows
  await db.query(
    `insert into whatsapp_messages (message_id, contact_id, from_number, to_number, direction, channel, content, status,
       "timestamp", processed, sent_by_type, created_at)
     select 'wamid.' || md5(n::text), c.id, case when n % 2 = 0 then c.phone end, case when n % 2 = 1 then c.phone end,
       case n % 2 when 0 then 'incoming' else 'outgoing' end, 'whatsapp',
       ($2::text[])[1 + abs(hashint4(n)) % 10] || case when n % 5 = 0 then ' ' || upper(substr(md5((n % 100000)::text), 1, 16)) else '' end,
       case n % 2 when 0 then 'received' else 'read' end, t.at, true, case n % 2 when 0 then 'customer' else 'bot' end, t.at
     from generate_series(1, $1::integer) n
     join contacts c on c.id = $3::integer + (n::bigint * 7919) % $4::integer
     cross join lateral (select now() - ($1 - n) * $5::float * interval '1 second' as at) t
     order by n`,
    [messages, texts, least, count, (days * 86_400) / messages],
  )
  await db.query(
    `insert into whatsapp_conversation_threads (contact_id, phone_number, last_activity, last_message_id, last_incoming_at,
       unread_count, handoff_at, done_at, assigned_to, labels)
     select m.contact_id, c.phone, m.at, m.id, m.at, (place <= $1 and place % 2 = 0)::integer,
       case when place <= $1 and place % 3 = 0 then m.at end, case when place > $1 and place % 3 = 0 then m.at end, null,
       case when place % 20 = 0 then '{late}'::text[] else '{}' end
     from (select contact_id, max(id) as id, max(created_at) as at, row_number() over (order by max(id) desc) as place
       from whatsapp_messages group by 1) m join contacts c on c.id = m.contact_id`,
    [open],
  )
  await db.query(
    `insert into audit_log (user_id, action, resource, resource_id, vendor_id, new_values, created_at)
     select u.id, (array['update','create','export'])[1 + n % 3], (array['product','user','order','setting'])[1 + n % 4], n::text, u.vendor_id,
       '{"name":"Water"}', now() - ($1 - n) * $2::float * interval '1 second'
     from generate_series(1, $1::integer) n
     join (select id, vendor_id, row_number() over (order by id) - 1 as i, count(*) over () as all from users where role = 'driver') u
       on u.i = n % u.all order by n`,
    [audits, (days * 86_400) / audits],
  )
  await db.query(
    `insert into addresses (user_id, address, lat, lng, is_default)
     select id, 'House ' || id || ', Road 34, Block 567', 26.1, 50.55, true from users where role = 'customer'`,
  )
  await db.query(
    `insert into carts (user_id, vendor_id) select id, 1 + id % (select count(*) from vendors) from users where role = 'customer' and id % 5 = 0`,
  )
  await db.query(
    `insert into cart_items (cart_id, vendor_id, product_id, quantity)
     select c.id, c.vendor_id, p.id, 2 from carts c
     cross join lateral (select id from products where vendor_id = c.vendor_id order by id limit 2) p`,
  )
  await createIndexes()
  await db.query('set session_replication_role = origin')
  await db.query('vacuum analyze')
}
