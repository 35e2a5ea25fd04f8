import { withEmpties } from '@qatra/contract/bottles'
import { type Cart, emptyCart } from '@qatra/contract/cart/cart'
import { fils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { chargesInBhd, depositOfLine, orderTotals, totalsInBhd } from '@qatra/contract/orders/totals'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useVendor } from '../catalogue/api.ts'
import { cartQuery } from './api.ts'
import { type CartAddition, useCart } from './CartProvider.tsx'
import { type CartView, cartView, quantityOf } from './view.ts'

/** The sums of a cart by the rules of the server. @param deliveryFee BHD */
export function pricedCart(cart: CartView, deliveryFee: number): Cart {
  const lines = withEmpties(
    cart.items.map((item) => ({ ...item, empties: item.isAnswered ? item.empties : null })),
    cart.free,
  ).map((line) => {
    const bottleDeposit = line.bottle && fromBhd(line.bottle.deposit)
    const deposit = toBhd(depositOfLine({ ...line, bottleDeposit }))
    return { ...line, empties: line.empties ?? 0, deposit, bottleDeposit }
  })
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

/**
 * By how much the cart's total grows with these products of one vendor, at least in the given quantities, and the
 * deposit in it; fils. Beside another vendor's cart, which they replace: the total of an order of them alone.
 */
export function useAddedTotal(additions: readonly CartAddition[]) {
  const cart = useCart()
  const vendorId = additions[0]?.product.vendorId ?? null
  const fee = useVendor(vendorId)?.deliveryFee ?? 1
  return useMemo(() => {
    const before = cart.vendorId === vendorId ? cart : { ...emptyCart, free: cart.free }
    const wanted = additions.map(({ product, quantity }) => {
      return [product.id, { product, quantity: Math.max(quantity, quantityOf(before, product.id)) }] as const
    })
    const [old, next] = [before, cartView(before, new Map(wanted))].map((one) => pricedCart(one, fee))
    const grown = (of: 'total' | 'deposit') => fils(fromBhd(next?.[of] ?? 0) - fromBhd(old?.[of] ?? 0))
    return { total: grown('total'), deposit: grown('deposit') }
  }, [cart, vendorId, additions, fee])
}
