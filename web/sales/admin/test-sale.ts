import type { Product } from '@qatra/contract/products/products'
import type { Vendor } from '@qatra/contract/vendors/vendors'

export const spring: Vendor = {
  id: 1,
  name: 'Spring',
  nameAr: 'نبع',
  logoUrl: null,
  description: null,
  descriptionAr: null,
  deliveryFee: 1,
  minDeliveryAmount: 5,
  whatsappLink: null,
  contactNumber: null,
  isActive: true,
  tint: null,
  emblem: null,
  cutOff: null,
  promisedDate: '2026-11-22',
}
const product = (id: number, name: string, price: number, vatPercentage: number): Product => ({
  id,
  vendorId: 1,
  name,
  nameAr: null,
  description: null,
  descriptionAr: null,
  price,
  size: '500ml',
  imageUrl: null,
  vatPercentage,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
})
export const water = product(1, 'Still water', 1.505, 10)
export const gallon = product(2, 'Gallon', 0.9, 0)
