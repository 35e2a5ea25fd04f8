import type { Actor } from '@qatra/contract/users/actor'

/** The owner as in `carts.owner`; null for a visitor without a cart. */
export const ownerOf = ({ user, guestSession }: Actor): string | null => (user ? ownerOfUser(user.id) : guestSession)

export const ownerOfUser = (userId: number) => `u${userId}`

/** The columns of an owner. A visitor's hash is hexadecimal and never starts with `u`. */
export const columnsOf = (owner: string) =>
  owner.startsWith('u') ? { userId: Number(owner.slice(1)), sessionId: null } : { userId: null, sessionId: owner }
