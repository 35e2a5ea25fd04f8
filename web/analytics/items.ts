import type { Cart } from '@qatra/contract/cart/cart'
import type { TrackedItem } from './events.ts'

interface Described {
  id: number
  name: string
  size: string
  price: number
  vendorId: number
}

export const trackedItem = ({ id, name, size, price, vendorId }: Described, quantity = 1): TrackedItem => ({
  productId: id,
  name,
  category: size,
  price,
  quantity,
  vendorId,
})

export const trackedItems = ({ items }: Cart): TrackedItem[] =>
  items.map((item) => trackedItem({ ...item, id: item.productId }, item.quantity))
