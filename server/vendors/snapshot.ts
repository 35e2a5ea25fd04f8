import type { Fils } from '@qatra/contract/lib/money'

export interface CatalogueVendor {
  id: number
  name: string
  nameAr: string | null
  logoUrl: string | null
  description: string | null
  descriptionAr: string | null
  deliveryFee: Fils
  minDeliveryAmount: Fils
  whatsappLink: string | null
  contactNumber: string | null
  isActive: boolean
  tint: string | null
  emblem: string | null
  cutOff: string | null
  areaIds: ReadonlySet<number>
  closures: ReadonlySet<string>
}

/** The part of the in-memory catalogue with vendors and public holidays. */
export interface VendorSnapshot {
  vendors: ReadonlyMap<number, CatalogueVendor>
  /** Public holidays by day. */
  holidays: ReadonlyMap<string, { name: string; nameAr: string }>
}
