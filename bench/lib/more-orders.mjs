/** Adds three items and three history rows to each order, as in a year of a busy shop. */
export async function grow(db, { vendorId, productId }, orders) {
  await db.query(
    `insert into users (phone, name) select '+97335' || lpad(n::text, 6, '0'), 'مريم علي ' || n from generate_series(1, 20000) n`,
  )
  await db.query(
    `insert into orders (id, user_id, vendor_id, vendor_name, customer_name, phone, address, lat, lng, subtotal,
       delivery_fee, product_vat, total, promised_date, created_at)
     select upper(substr(md5(n::text), 1, 16)), u.id, $1, 'Bench', u.name, u.phone, 'House ' || n || ', Road 34, Block 567',
       26.1 + random() / 10, 50.5 + random() / 10, 4515, 500, 452, 5467, current_date, now() - n * interval '5 minutes'
     from generate_series(1, $2::integer) n join users u on u.phone = '+97335' || lpad((n % 20000 + 1)::text, 6, '0')`,
    [vendorId, orders],
  )
  await db.query(
    `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
     select o.id, $1, 'Water', '500ml', 1505, 10, 1 from orders o, generate_series(1, 3)`,
    [productId],
  )
  await db.query(
    `insert into order_audit_history (order_id, action, changed_by, field_changed, old_value, new_value)
     select o.id, 'updated', o.user_id, 'status', 'new', 'in-progress' from orders o, generate_series(1, 3)`,
  )
  await db.query(
    `insert into pgboss.job (name, data) select 'order-messages', json_build_object('event', 'order.cancelled', 'id', id, 'to', 'cancelled', 'version', 0)
     from orders limit 5000`,
  )
}
