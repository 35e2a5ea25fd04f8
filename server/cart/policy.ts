import type { Actor } from '@qatra/contract/actor'

/** Whose cart it is, as `carts.owner` writes it; null for a visitor who never put anything into one. */
export const ownerOf = ({ user, guestSession }: Actor): string | null => (user ? ownerOfUser(user.id) : guestSession)

export const ownerOfUser = (userId: number) => `u${userId}`
