import type { Actor } from '@qatra/contract/actor'
import type { CatalogueVendor } from './queries.ts'

/** What is switched off is there for super admins and the vendor's own people, and for nobody else. */
export const maySeeInactive = ({ user }: Pick<Actor, 'user'>, vendor: Pick<CatalogueVendor, 'id'>): boolean =>
  user !== null && (user.role === 'super_admin' || user.vendorId === vendor.id)
