/** Several years of orders of a busy market: 1,370 a day, eight vendors, sixty areas, realistic frequencies of names. */
const perDay = 1_370

const first =
  'محمد أحمد علي حسن فاطمة مريم نورة سارة يوسف خالد عبدالله زينب Mohammed Ahmed Ali Hasan Fatima Maryam Noura Sara Yusuf Khalid Joseph Priya'
const last =
  'الدوسري العلوي الكعبي الحداد السيد البوعينين المرزوق الجودر القصاب المناعي الذوادي الغتم الخان العريض Aldoseri Alalawi Alkaabi Alhaddad Alsayed Kumar'
const names = (text) => `array['${text.split(' ').join(`','`)}']`
// Few names are frequent, most are rare: squaring favours the first of the list.
const pick = (list, seed) =>
  `(${list})[1 + floor(power(abs(hashtextextended(n::text, ${seed})) % 100000 / 100000.0, 2) * cardinality(${list}))::integer]`

/** Fills a migrated database; returns the accounts that send the requests. */
export async function fillAdmin(db, orders) {
  const customers = Math.ceil(orders / 10)
  await db.query(
    `insert into vendors (name, name_ar, delivery_fee, min_delivery_amount)
     select 'Vendor ' || n, 'علامة ' || n, 500, 1000 from generate_series(1, 8) n`,
  )
  await db.query(
    `insert into users (phone, name, role, vendor_id, is_verified)
     select '+9733619' || lpad(n::text, 4, '0'), 'Driver ' || n, 'driver', 1 + n % 8, true from generate_series(1, 40) n`,
  )
  await db.query(
    `insert into users (phone, name, is_verified)
     select '+97333' || lpad(n::text, 6, '0'), ${pick(names(first), 1)} || ' ' || ${pick(names(last), 2)}, true
     from generate_series(1, $1::integer) n`,
    [customers],
  )
  await db.query('drop index if exists orders_search')
  // Disables triggers and foreign key checks for millions of rows; the referenced rows exist.
  await db.query('set session_replication_role = replica')
  await db.query(
    `insert into orders (id, user_id, vendor_id, vendor_name, status, customer_name, phone, address, lat, lng, area_id,
       area_name, area_name_ar, subtotal, delivery_fee, product_vat, total, payment_status, assigned_driver_id,
       promised_date, created_at, updated_at, search_text)
     select upper(substr(md5(n::text), 1, 16)), u.id, v.id, 'Vendor ' || v.id,
       case when n <= ${perDay} then (array['new','new','in-progress','shipped','delivered'])[1 + n % 5]
         when n % 25 = 0 then 'cancelled' else 'delivered' end,
       u.name, u.phone, 'House ' || n || ', Road 34, Block 567', 26.1 + random() / 10, 50.5 + random() / 10,
       1 + n % 60, 'Area ' || n % 60, 'منطقة ' || n % 60, t.subtotal, 500, 0, t.subtotal + 500,
       case when n <= ${perDay} then 'pending' when n % 97 = 0 then 'unpaid' else 'paid' end,
       case when n % 25 > 0 then d.id end, (now() - n * interval '63 seconds')::date + 1,
       now() - n * interval '63 seconds', now() - n * interval '63 seconds',
       order_search_text(u.name, u.phone, upper(substr(md5(n::text), 1, 16)), 'Area ' || n % 60, 'منطقة ' || n % 60, null)
     from generate_series(1, $1::integer) n
     join lateral (select 1 + (n * 7 % 13) % 8 as id) v on true
     join lateral (select 1000 + (n % 40) * 350 as subtotal) t on true
     join (select id, name, phone, row_number() over (order by id) as i from users where role = 'customer') u
       on u.i = 1 + (n::bigint * 7919) % $2::bigint
     left join lateral (select id from users where role = 'driver' and vendor_id = v.id
       offset n % 5 limit 1) d on true
     order by n desc`,
    [orders, customers],
  )
  await db.query(
    `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
     select o.id, k, 'Water ' || k, '500ml', 1505, 10, k from orders o, generate_series(1, 2) k`,
  )
  await db.query(
    `insert into order_audit_history (order_id, action, changed_by, changed_at, field_changed, old_value, new_value)
     select o.id, 'created', o.user_id, o.created_at, 'status', null, 'new' from orders o
     union all select o.id, 'updated', o.user_id, o.created_at, 'status', 'new', o.status from orders o where o.status <> 'new'`,
  )
  await db.query('set session_replication_role = origin')
  await db.query('create index orders_search on orders using gin (search_text gin_trgm_ops)')
  await db.query('vacuum analyze')
}
