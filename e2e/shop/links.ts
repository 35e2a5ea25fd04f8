import { createHash, randomBytes } from 'node:crypto'
import { query } from './database.ts'

interface LinkOptions {
  redirectUrl?: string
  redirectParams?: Record<string, string>
  /** SQL interval from now. */
  life?: string
}

/** Inserts a sign-in link; only the hash of the token is stored. */
export async function linkFor(phone: string, { redirectUrl, redirectParams, life = '1 hour' }: LinkOptions = {}) {
  const token = randomBytes(32).toString('base64url')
  await query(
    `insert into magic_links (phone, token, expires_at, redirect_url, redirect_params)
     values ($1, $2, now() + $3::interval, $4, $5)`,
    [phone, createHash('sha256').update(token).digest('hex'), life, redirectUrl ?? null, redirectParams ?? null],
  )
  return `/magic-login/${token}`
}
