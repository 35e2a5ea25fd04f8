/** Fields of ids and times, whose long numbers are not phones. */
const plain: ReadonlySet<string> = new Set([
  'id',
  'messageId',
  'contactId',
  'message_id',
  'timestamp',
  'phone_number_id',
  'sha256',
  'mime_type',
  'biz_opaque_callback_data',
])

const masked = (text: string) => text.replace(/\+?\d{8,15}/g, (phone) => `${phone.slice(0, 4)}****${phone.slice(-4)}`)

/** Returns a copy with every number that could be a phone masked, at any depth. */
export function maskPhones(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return plain.has(key) ? value : masked(value)
  if (Array.isArray(value)) return value.map((one) => maskPhones(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [masked(name), maskPhones(one, name)]))
}
