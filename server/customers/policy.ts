import type { Actor } from '@qatra/contract/actor'
import { vendorInReach } from '../vendors/policy.ts'
import { MARKET } from './tables.ts'

/**
 * Of which vendor somebody of the office sees customers, figures, notes and tags; MARKET is all of them.
 * @throws FORBIDDEN where `asked` is a vendor out of reach
 */
export const scopeOf = (actor: Actor, asked?: number | null): number => vendorInReach(actor, asked || null) ?? MARKET
