import type { Lang } from '../lib/lang.ts'
import type { Role } from './roles.ts'

export interface ActorUser {
  id: number
  phone: string
  name: string | null
  role: Role
  vendorId: number | null
  permissions: readonly string[]
  language: Lang
  isVerified: boolean
}

/** The caller of a request. A visitor has no user; a guest cart is found by the SHA-256 of the visitor's cookie. */
export interface Actor {
  user: ActorUser | null
  guestSession: string | null
  impersonator: { id: number; name: string | null; phone: string } | null
  /** The API key that acts; `user` is then its maker, with the scope of the key. */
  key?: { id: number; name: string } | null
  lang: Lang
}
