import { desc, eq, inArray } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { eraseCartsOf } from './commands.ts'
import { cartItems, carts } from './tables.ts'

export const cartPersonalData: PersonalData = {
  tables: {
    carts: { exported: 'carts', erased: 'deleted' },
    cart_items: { exported: 'cartItems', erased: 'deleted with the cart' },
  },
  async export({ db }, { id, maxRows }) {
    const own = await db.select().from(carts).where(eq(carts.userId, id))
    const ids = own.map((cart) => cart.id)
    const ofOwn = inArray(cartItems.cartId, ids)
    const items = await db.select().from(cartItems).where(ofOwn).orderBy(desc(cartItems.id)).limit(maxRows)
    return { carts: own, cartItems: items }
  },
  erase: (ctx, { id }) => eraseCartsOf(ctx, id),
}
