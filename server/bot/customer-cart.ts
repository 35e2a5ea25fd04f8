import { type Cart, emptyCart } from '@qatra/contract/cart/cart'
import { fromBhd, minimumLeft, toBhd } from '@qatra/contract/lib/money'
import type { ConversationCart } from '@qatra/contract/whatsapp/inbox/cart'
import { areaAt } from '../areas/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { requireReachedContact } from '../conversations/policy.ts'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { promisedSlotFor } from '../vendors/promised-dates.ts'
import { SILENCE_MS } from './dialogue/dialogue.ts'
import { type Memory, readMemory } from './dialogue/memory.ts'
import { readCartOf } from './intent-runner.commands.ts'
import { findCustomer } from './queries.ts'

/** Staff of a vendor see no carts of other vendors. */
const isManaged = ({ actor }: Ctx, { vendorId }: Cart): boolean => {
  const scope = vendorInReach(actor, null)
  return scope === null || vendorId === null || vendorId === scope
}

/** The customer of a conversation with the cart. @throws CONTACT_NOT_FOUND */
export async function requireCustomer(ctx: Ctx, catalogue: Catalogue, idOrPhone: string) {
  const contact = await requireReachedContact(ctx, idOrPhone)
  const customer = await findCustomer(ctx.db, contact.id)
  if (!customer) throw new AppError('CONTACT_NOT_FOUND')
  const memory = readMemory(customer.memory, customer.language)
  const cart = await readCartOf(ctx, catalogue, customer, ctx.now)
  return { ...customer, memory, cart: isManaged(ctx, cart) ? cart : emptyCart }
}

/** Whether the customer was shown this cart lately and has not answered. */
export function isAwaitingYes({ state, summary, lastAt }: Memory, cart: Cart, now: Date): boolean {
  if (state !== 'confirm' || summary === null || lastAt === null) return false
  const isSame = summary.cartVersion === cart.version && summary.total === cart.total
  return isSame && now.getTime() - lastAt <= SILENCE_MS
}

interface Described {
  memory: Memory
  cart: Cart
}

export function describeCartOf(ctx: Ctx, catalogue: Catalogue, { memory, cart }: Described): ConversationCart {
  const vendor = catalogue.vendors.get(cart.vendorId ?? 0)
  const area = memory.point && areaAt(catalogue, memory.point)
  return {
    cart,
    vendor: vendor ? { id: vendor.id, name: vendor.name, nameAr: vendor.nameAr } : null,
    minimumLeft: vendor ? toBhd(minimumLeft(fromBhd(cart.subtotal), vendor.minDeliveryAmount)) : 0,
    promisedDate: vendor ? promisedSlotFor(catalogue, vendor, ctx.now).date : null,
    area: area ? { name: area.name, nameAr: area.nameAr } : null,
    name: memory.name,
    address: memory.address,
    addressParts: memory.addressParts,
    mapCoordinates: memory.point,
    pinSource: memory.pinSource,
    isAwaitingYes: isAwaitingYes(memory, cart, ctx.now),
  }
}

export const readConversationCart = async (ctx: Ctx, catalogue: Catalogue, idOrPhone: string) =>
  describeCartOf(ctx, catalogue, await requireCustomer(ctx, catalogue, idOrPhone))
