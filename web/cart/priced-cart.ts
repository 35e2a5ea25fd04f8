import type { Cart, CartItem } from '@qatra/contract/cart/cart'
import { fromBhd, toBhd } from '@qatra/contract/lib/money'
import { chargesInBhd, depositOfLine, orderTotals, totalsInBhd } from '@qatra/contract/orders/totals'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useVendor } from '../catalogue/api.ts'
import { cartQuery } from './api.ts'
import { useCart } from './CartProvider.tsx'
import type { CartView } from './view.ts'

function pricedItem(item: CartItem) {
  const bottleDeposit = item.bottle && fromBhd(item.bottle.deposit)
  const empties = Math.min(item.empties, item.quantity)
  return { ...item, empties, deposit: toBhd(depositOfLine({ ...item, empties, bottleDeposit })), bottleDeposit }
}

/** The sums of a cart by the rules of the server. @param deliveryFee BHD */
export function pricedCart(cart: CartView, deliveryFee: number): Cart {
  const lines = cart.items.map(pricedItem)
  const available = lines.filter(({ isAvailable }) => isAvailable)
  const totals = orderTotals(
    available.map((line) => ({ ...line, price: fromBhd(line.price) })),
    chargesInBhd({ deliveryFee }),
  )
  return { ...cart, items: lines.map(({ bottleDeposit: _, ...item }) => item), ...totalsInBhd(totals) }
}

/** The cart with its sums: the server's, or with wanted quantities; the fee is 1 BHD while the vendor is not known. */
export function usePricedCart(): Cart {
  const cart = useCart()
  const { data: server } = useQuery(cartQuery())
  const vendor = useVendor(cart.vendorId)
  const fee = cart.vendorId === null ? 0 : (vendor?.deliveryFee ?? 1)
  return useMemo(() => (server && cart === server ? server : pricedCart(cart, fee)), [cart, server, fee])
}
