import Fastify from 'fastify'
import pg from 'pg'

/**
 * Baseline of orders and cart adds: a Fastify POST that validates nothing and writes the same rows in one prepared
 * statement, which is one transaction; and a POST with a single prepared write to a cart.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()

const writeOrder = {
  name: 'bare-order',
  text: `with placed as (
    insert into orders (id, user_id, vendor_id, vendor_name, customer_name, phone, address, lat, lng, area_id, area_name,
      subtotal, delivery_fee, product_vat, total, promised_date, instructions)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $26) returning id),
  items as (
    insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
    select $1, l.* from unnest($17::integer[], $18::text[], $19::text[], $20::bigint[], $21::numeric[], $22::integer[]) as l),
  history as (
    insert into order_audit_history (order_id, action, changed_by, field_changed, new_value)
    values ($1, 'created', $2, 'status', 'new')),
  key as (insert into order_keys (user_id, key, order_id, fingerprint) values ($2, $23, $1, $23)),
  emptied as (delete from cart_items where cart_id = $24),
  closed as (update carts set vendor_id = null, version = version + 1 where id = $24),
  news as (
    insert into pgboss.job (name, data, retry_limit, retry_delay, retry_backoff, expire_seconds, deletion_seconds,
      keep_until, dead_letter, policy)
    select unnest($25::text[]), jsonb_build_object('event', 'order.placed', 'id', $1::text, 'to', 'new', 'version', 1),
      5, 5, true, 300, 604800, now() + interval '14 days', 'dead-letter', 'standard')
  select id from placed`,
}

app.post('/order', async (request) => {
  const b = request.body
  const items = b.items
  const { rows } = await pool.query({
    ...writeOrder,
    values: [
      b.id,
      b.userId,
      b.vendorId,
      b.vendorName,
      b.customerName,
      b.phone,
      b.address,
      b.lat,
      b.lng,
      b.areaId,
      b.areaName,
      b.subtotal,
      b.deliveryFee,
      b.productVat,
      b.total,
      b.promisedDate,
      items.map((item) => item.productId),
      items.map((item) => item.name),
      items.map((item) => item.size),
      items.map((item) => item.price),
      items.map((item) => item.vat),
      items.map((item) => item.quantity),
      b.key,
      b.cartId,
      b.queues,
      b.instructions,
    ],
  })
  return { id: rows[0].id, total: b.total, vendorId: b.vendorId }
})

const writeItem = {
  name: 'bare-item',
  text: `insert into cart_items as i (cart_id, vendor_id, product_id, quantity) values ($1, $2, $3, $4)
    on conflict (cart_id, product_id) do update set quantity = i.quantity + excluded.quantity
    returning id, product_id, quantity`,
}
app.post('/add', async (request) => {
  const { cartId, vendorId, productId, quantity } = request.body
  const { rows } = await pool.query({ ...writeItem, values: [cartId, vendorId, productId, quantity] })
  return rows[0]
})

app.get('/readyz', () => ({ status: 'ok' }))

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
