const first =
  'محمد أحمد علي حسن فاطمة مريم نورة سارة يوسف خالد عبدالله زينب Mohammed Ahmed Ali Hasan Fatima Maryam Noura Sara Yusuf Khalid Joseph Priya'
const last =
  'الدوسري العلوي الكعبي الحداد السيد البوعينين المرزوق الجودر القصاب المناعي الذوادي الغتم الخان العريض Aldoseri Alalawi Alkaabi Alhaddad Alsayed Kumar'
const names = (text) => `array['${text.split(' ').join(`','`)}']`
// Few names are frequent, most are rare: squaring favours the first of the list.
const pick = (list, seed) =>
  `(${list})[1 + floor(power(abs(hashtextextended(n::text, ${seed})) % 100000 / 100000.0, 2) * cardinality(${list}))::integer]`

/** Products of each vendor; their ids follow those of the vendors. */
const PRODUCTS = 10
const bulky = ['orders', 'order_items', 'order_audit_history', 'customer_totals', 'users']

/** Drops the indexes of these tables except those of constraints; returns a function that creates them. */
export async function dropIndexes(db, tables) {
  const { rows } = await db.query(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await db.query(`drop index ${name}`)
  return async () => {
    for (const { text } of rows) await db.query(text.replace(' ON ONLY ', ' ON '))
  }
}

/** Months until now of the partitioned tables. */
export const makeMonths = (db, days) =>
  db.query(
    `select create_month(c.oid, m::date) from pg_class c, generate_series(date_trunc('month', now() - $1::integer * interval '1 day'), now(), interval '1 month') m
     where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace`,
    [days + 1],
  )

/**
 * Fills a migrated database: `perDay` orders a day until now, of `vendors` vendors in sixty areas, with realistic
 * frequencies of names. The first vendor has a quarter of the orders. `rich` has five history rows for each order, else two.
 */
export async function fillAdmin(
  db,
  orders,
  { perDay = 1_370, vendors = 8, customers = Math.ceil(orders / 10), rich = false } = {},
) {
  const seconds = 86_400 / perDay
  await makeMonths(db, Math.ceil(orders / perDay))
  // Disables triggers and foreign key checks for millions of rows; the referenced rows exist.
  await db.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'`,
  )
  const createIndexes = await dropIndexes(db, bulky)
  await db.query(
    `insert into vendors (name, name_ar, delivery_fee, min_delivery_amount)
     select 'Vendor ' || n, 'علامة ' || n, 500, 0 from generate_series(1, $1::integer) n`,
    [vendors],
  )
  await db.query(
    `insert into products (vendor_id, name, price, size, vat_percentage, duplicate_key)
     select 1 + (n - 1) / ${PRODUCTS}, 'Water ' || n, 1505, '500ml', 10, 'water ' || n
     from generate_series(1, $1::integer * ${PRODUCTS}) n`,
    [vendors],
  )
  await db.query(
    `insert into users (phone, name, role, vendor_id, is_verified)
     select '+973' || 37900000 + n, 'Driver ' || n, 'driver', 1 + n % $1::integer, true from generate_series(1, 5 * $1::integer) n`,
    [vendors],
  )
  await db.query(
    `insert into users (phone, name, is_verified, created_at)
     select '+973' || 33000000 + n, ${pick(names(first), 1)} || ' ' || ${pick(names(last), 2)}, true,
       now() - $2::float * n * interval '1 second'
     from generate_series(1, $1::integer) n`,
    [customers, (seconds * orders) / customers],
  )
  await db.query(
    `insert into orders (id, user_id, vendor_id, vendor_name, status, customer_name, phone, address, lat, lng, area_id,
       area_name, area_name_ar, subtotal, delivery_fee, product_vat, total, payment_status, assigned_driver_id,
       promised_date, delivered_at, created_at, updated_at, search_text)
     select o.id, u.id, v.id, 'Vendor ' || v.id, o.status, u.name, u.phone, 'House ' || n || ', Road 34, Block 567',
       26.1 + random() / 10, 50.5 + random() / 10, 1 + n % 60, 'Area ' || n % 60, 'منطقة ' || n % 60, t.subtotal, 500, 0,
       t.subtotal + 500, case when n <= $3 then 'pending' when n % 97 = 0 then 'unpaid' else 'paid' end,
       case when n % 25 > 0 then d.ids[1 + n % 5] end, o.at::date + 1,
       case when o.status = 'delivered' then o.at + interval '5 hours' end, o.at, o.at,
       order_search_text(u.name, u.phone, o.id, 'Area ' || n % 60, 'منطقة ' || n % 60, null)
     from generate_series(1, $1::integer) n
     cross join lateral (select upper(substr(md5(n::text), 1, 16)) as id, now() - n * $4::float * interval '1 second' as at,
       case when n <= $3 then (array['new','new','in-progress','shipped','delivered'])[1 + n % 5]
         when n % 25 = 0 then 'cancelled' else 'delivered' end as status) o
     cross join lateral (select case n % 4 when 0 then 1 else 1 + abs(hashint4(n)) % $5::integer end as id) v
     cross join lateral (select 1000 + (n % 40) * 350 as subtotal) t
     join (select id, name, phone, row_number() over (order by id) as i from users where role = 'customer') u
       on u.i = 1 + (n::bigint * 7919) % $2::bigint
     join (select vendor_id, array_agg(id order by id) as ids from users where role = 'driver' group by 1) d on d.vendor_id = v.id
     order by n desc`,
    [orders, customers, perDay, seconds, vendors],
  )
  await db.query(
    `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
     select o.id, p.id, 'Water ' || p.id, '500ml', 1505, 10, k from orders o, generate_series(1, 2) k
     cross join lateral (select (o.vendor_id - 1) * ${PRODUCTS} + 1 + case k when 1 then hashtext(o.id) & 1
       else 2 + abs(hashtext(o.id)) % ${PRODUCTS - 2} end as id) p`,
  )
  const steps = rich ? ['in-progress', 'shipped'] : []
  await db.query(
    `insert into order_audit_history (order_id, action, changed_by, changed_at, field_changed, old_value, new_value)
     select o.id, 'created', o.user_id, o.created_at, 'status', null, 'new' from orders o
     union all select o.id, 'updated', o.assigned_driver_id, o.created_at + k * interval '1 hour', 'status', null, s
       from orders o, unnest($1::text[]) with ordinality s (s, k) where o.status <> 'new'
     union all select o.id, 'updated', o.assigned_driver_id, o.created_at + interval '1 hour', 'driver', null, 'Driver'
       from orders o where $2 and o.assigned_driver_id is not null
     union all select o.id, 'updated', o.assigned_driver_id, o.created_at + interval '5 hours', 'status', 'new', o.status from orders o where o.status <> 'new'`,
    [steps, rich],
  )
  await db.query(
    `insert into customer_totals
       (user_id, vendor_id, order_count, cancelled_count, own_count, spend, first_order_at, last_order_at)
     select o.user_id, v.id, count(*), count(*) filter (where o.status = 'cancelled'),
       count(*) filter (where o.placed_by is null),
       coalesce(sum(o.total) filter (where o.status <> 'cancelled'), 0), min(o.created_at), max(o.created_at)
     from orders o cross join lateral (values (0), (o.vendor_id)) v (id) group by 1, 2
     union all select id, 0, 0, 0, 0, 0, null, null from users u where not exists (select from orders where user_id = u.id)`,
  )
  await createIndexes()
  await db.query('set session_replication_role = origin')
  await db.query('vacuum analyze')
}
