import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { parsePhone } from '../lib/phone.ts'

export interface Contact {
  id: number
  phone: string | null
  business_scoped_id: string | null
  name: string | null
  language: string | null
  opted_out_at: Date | null
  /** User with this phone; null if there is none. */
  user_id: number | null
}

const contactSql = (name: string, where: string) =>
  statement(
    name,
    `select c.id, c.phone, c.business_scoped_id, c.name, c.language, c.opted_out_at, u.id as user_id
     from contacts c left join users u on u.phone = c.phone and u.erased_at is null where ${where}`,
  )
const byIdSql = contactSql('contact-by-id', 'c.id = $1')
const byPhoneSql = contactSql('contact-by-phone', 'c.phone = $1')

export async function findContact(db: Db, id: number): Promise<Contact | null> {
  const [row] = await run<Contact>(db, byIdSql, [id])
  return row ?? null
}

export async function findContactByPhone(db: Db, phone: string): Promise<Contact | null> {
  const [row] = await run<Contact>(db, byPhoneSql, [phone])
  return row ?? null
}

/** `{contact}` of a path: a contact's id or its phone. Ids are shorter than any phone. @throws CONTACT_NOT_FOUND */
export async function requireContact(db: Db, idOrPhone: string): Promise<Contact> {
  const isId = /^[1-9]\d{0,6}$/.test(idOrPhone)
  const phone = isId ? null : parsePhone(idOrPhone)
  const found = isId
    ? await findContact(db, Number(idOrPhone))
    : phone?.ok
      ? await findContactByPhone(db, phone.phone)
      : null
  if (!found) throw new AppError('CONTACT_NOT_FOUND')
  return found
}

/** Hours after a customer's message in which free text may be sent; later only templates are allowed. */
export const SERVICE_WINDOW_HOURS = 24

export const windowEnd = (lastIncomingAt: Date | null): Date | null =>
  lastIncomingAt && new Date(lastIncomingAt.getTime() + SERVICE_WINDOW_HOURS * 3_600_000)

export const isWindowOpen = (lastIncomingAt: Date | null, now: Date): boolean => {
  const end = windowEnd(lastIncomingAt)
  return end !== null && now < end
}
