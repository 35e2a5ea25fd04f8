import type { Actor } from '@qatra/contract/actor'

/** The owner as in `carts.owner`; null for a visitor without a cart. */
export const ownerOf = ({ user, guestSession }: Actor): string | null => (user ? ownerOfUser(user.id) : guestSession)

export const ownerOfUser = (userId: number) => `u${userId}`
