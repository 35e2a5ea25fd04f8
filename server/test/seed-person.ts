import { storeMedia } from '../media/commands.ts'
import type { TestShop } from './app.ts'
import { makeOrder } from './make.ts'

/** Data of staff that no export may contain. */
export const staffSecrets = ['staff-reason', 'staff-browser', '198.51.100.7']

interface Seeded {
  id: number
  phone: string
}

/** Inserts a row into every table of personal data. Texts are `canary-<tag>-<table>`, so that each table is identifiable. */
export async function seedPerson(
  shop: TestShop,
  { id, phone }: Seeded,
  { tag, vendorId, productId, adminId }: { tag: string; vendorId: number; productId: number; adminId: number },
) {
  const canary = (table: string) => `canary-${tag}-${table}`
  async function insert(table: string, values: Record<string, unknown>): Promise<number> {
    const names = Object.keys(values)
    const [row] = await shop.query<{ row: { id?: number } }>(
      `insert into ${table} as t (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})
       returning to_jsonb(t) as row`,
      Object.values(values),
    )
    return row?.row.id ?? 0
  }
  const c = canary
  await shop.query('update users set name = $2, telegram_name = $2 where id = $1', [id, c('users')])
  await insert('addresses', {
    user_id: id,
    label: c('addresses'),
    address: c('addresses'),
    address_parts: JSON.stringify({ block: c('addresses') }),
    lat: 26.2,
    lng: 50.5,
    instructions: c('addresses'),
    receiver_name: c('addresses'),
    receiver_phone: c('addresses'),
    is_default: true,
  })
  await shop.query('update sessions set user_agent = $2 where user_id = $1', [id, c('sessions')])
  await insert('sessions', {
    id: `hash-${tag}`,
    user_id: id,
    impersonator_id: adminId,
    impersonation_reason: 'staff-reason',
    user_agent: 'staff-browser',
    expires_at: new Date(Date.now() + 3_600_000),
  })
  const [own] = await shop.query<{ id: string }>(
    'select id from sessions where user_id = $1 and impersonator_id is null',
    [id],
  )
  await insert('push_subscriptions', {
    session_id: own?.id,
    endpoint: `https://fcm.googleapis.com/fcm/send/${c('push_subscriptions')}`,
    p256dh: 'p',
    auth: 'a',
  })
  const log = { action: 'updated', resource: 'user', resource_id: String(id) }
  await insert('audit_log', { ...log, user_id: id, ip_address: '192.0.2.1', user_agent: c('audit_log') })
  await insert('audit_log', {
    ...log,
    user_id: adminId,
    on_behalf_of: id,
    ip_address: '198.51.100.7',
    user_agent: 'staff-browser',
    new_values: '{"reason": "staff-reason"}',
  })
  await insert('known_devices', { id: c('known_devices'), phone })
  const ends = { expires_at: new Date() }
  await insert('login_codes', {
    phone,
    code_hash: 'h',
    digits: 4,
    language: c('login_codes'),
    ...ends,
    used_at: new Date(),
  })
  await insert('login_failures', { phone, digits: 4, is_trusted: false, ip_prefix: c('login_failures') })
  await insert('message_logins', {
    phone,
    secret_hash: `s${tag}`,
    word_hash: 'w',
    device: c('message_logins'),
    language: 'ar',
    ...ends,
  })
  await insert('staff_invitations', {
    phone,
    vendor_id: vendorId,
    name: c('staff_invitations'),
    role: 'driver',
    invited_by: 1,
    ...ends,
  })
  await insert('magic_links', { phone, token: `t${tag}`, ...ends, redirect_url: c('magic_links') })

  const cart = await insert('carts', { user_id: id, vendor_id: vendorId })
  await insert('cart_items', { cart_id: cart, vendor_id: vendorId, product_id: productId, quantity: 2 })
  const orderId = await makeOrder(shop, { userId: id, vendorId, status: 'delivered' })
  await shop.query(
    `update orders set phone = $2, customer_name = $3, address = $3, instructions = $3, sync_errors = $3,
       address_parts = jsonb_build_object('block', $3::text) where id = $1`,
    [orderId, phone, c('orders')],
  )
  await shop.query('update order_items set price_reason = $2 where order_id = $1', [orderId, c('order_items')])
  await insert('order_audit_history', {
    order_id: orderId,
    action: 'note',
    changed_by: adminId,
    notes: c('order_audit_history'),
  })
  await insert('order_keys', { user_id: id, key: c('order_keys'), order_id: orderId, fingerprint: 'f' })
  await insert('receipts', { order_id: orderId, vendor_id: vendorId, number: id, seller: '{}', issued_at: new Date() })
  await insert('delivery_attempts', { order_id: orderId, reason: 'closed', key: 'k', happened_at: new Date() })
  const words = JSON.stringify({ key: 'k', words: { customerName: c('legacy_outbox'), phone, total: 1 } })
  await insert('legacy_outbox', {
    order_id: orderId,
    order_version: 1,
    event: 'order.placed',
    status: 'failed',
    body: words,
    last_error: c('legacy_outbox'),
  })
  await insert('customer_notes', { user_id: id, vendor_id: vendorId, body: c('customer_notes') })
  const importId = await insert('customer_imports', { vendor_id: vendorId, file_hash: tag, rows: 1 })
  await insert('customer_import_rows', {
    import_id: importId,
    user_id: id,
    row: 1,
    is_new: false,
    name: c('customer_import_rows'),
    filled: [],
    tags: [],
    is_joined: false,
  })
  await insert('customer_tags', { user_id: id, vendor_id: vendorId, tags: [c('customer_tags')] })

  const contact = await insert('contacts', { phone, name: c('contacts'), business_scoped_id: `BH.${tag}` })
  await insert('whatsapp_conversation_threads', {
    contact_id: contact,
    phone_number: phone,
    thread_name: c('whatsapp_conversation_threads'),
    telegram_thread_id: `topic-${tag}`,
    handoff_reason: c('whatsapp_conversation_threads'),
  })
  const message = { direction: 'incoming', channel: 'whatsapp', status: 'received', processed: true }
  const messageId = await insert('whatsapp_messages', {
    ...message,
    contact_id: contact,
    content: c('whatsapp_messages'),
  })
  await insert('whatsapp_messages', {
    ...message,
    direction: 'outgoing',
    status: 'sent',
    to_number: phone,
    content: c('whatsapp_messages'),
  })
  const voice = { bytes: Buffer.from(c('message_files')), mimeType: 'audio/ogg' } as const
  const fileHash = await storeMedia(shop.app.db, voice, 'private')
  await insert('message_files', { message_id: messageId, sha256: fileHash, size: 5 })
  const picture = { bytes: Buffer.from(c('media')), mimeType: 'image/webp', width: 1, height: 1 } as const
  await insert('message_files', {
    message_id: await insert('whatsapp_messages', { ...message, contact_id: contact, content: c('whatsapp_messages') }),
    sha256: await storeMedia(shop.app.db, picture, 'private'),
    size: 5,
  })
  await insert('conversation_notes', { contact_id: contact, author_id: adminId, body: c('conversation_notes') })
  await insert('bot_sessions', { contact_id: contact, phone_number: phone, delivery_address: c('bot_sessions') })
  await insert('bot_message_history', {
    contact_id: contact,
    phone_number: phone,
    message_text: c('bot_message_history'),
  })
  await insert('bot_misses', { contact_id: contact, message_id: messageId, key: 'x', text: c('bot_misses') })
  await insert('early_message_changes', {
    change_id: `change-${tag}`,
    message_id: `early-${tag}`,
    contact_id: contact,
    at: new Date(),
    content: c('early_message_changes'),
  })
  await insert('simulated_messages', {
    id: c('simulated_messages'),
    phone,
    direction: 'incoming',
    channel: 'whatsapp',
    sealed_body: '',
  })
  await insert('simulated_files', {
    message_id: c('simulated_messages'),
    mime_type: c('simulated_files'),
    sealed_bytes: '',
  })
  await insert('whatsapp_webhook_keys', { webhook_id: c('whatsapp_webhook_keys') })
  await insert('whatsapp_webhook_events', {
    webhook_id: c('whatsapp_webhook_keys'),
    event_type: 'message',
    raw_payload: c('whatsapp_webhook_events'),
    status: 'processed',
    sender_phone: phone,
  })
  const [campaign] = await shop.query<{ id: string }>(
    `insert into template_campaigns (name, template_name, language, taken_out) values ('c', 't', 'en', $1) returning id`,
    [JSON.stringify([{ phone, variables: { name: c('template_campaigns') } }])],
  )
  await insert('template_sends', {
    campaign_id: campaign?.id,
    recipient_phone: phone,
    variables: JSON.stringify({ name: c('template_sends') }),
    status: 'failed',
    error_message: c('template_sends'),
    contact_id: contact,
  })
  await insert('telegram_messages', {
    dedupe_key: `d${tag}`,
    chat_id: '1',
    content: c('telegram_messages'),
    contact_id: contact,
  })
  await insert('telegram_updates', {
    id: id * 1000,
    status: 'processed',
    payload: JSON.stringify({ message: { message_thread_id: `topic-${tag}`, text: c('telegram_updates') } }),
  })
  return { canary, orderId, messageId, fileHash, cartId: cart }
}
