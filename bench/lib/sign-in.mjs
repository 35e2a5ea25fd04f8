import { createHash, randomBytes } from 'node:crypto'

/** Creates a session of 90 days; returns the cookie's value. */
export async function openSession(db, userId) {
  const cookie = `u.${randomBytes(32).toString('base64url')}`
  await db.query(`insert into sessions (id, user_id, expires_at) values ($1, $2, now() + interval '90 days')`, [
    createHash('sha256').update(cookie).digest('hex'),
    userId,
  ])
  return cookie
}

/** Creates a person with a role and a session; returns the cookie's value. */
export async function signIn(db, [phone, role, vendorId]) {
  const { rows } = await db.query('insert into users (phone, role, vendor_id) values ($1, $2, $3) returning id', [
    phone,
    role,
    vendorId,
  ])
  return openSession(db, rows[0].id)
}
