import type { BottleTerms } from '@qatra/contract/bottles'
import type { Fils } from '@qatra/contract/lib/money'
import { sql } from 'drizzle-orm'

/** The bottle of a product while its vendor exchanges bottles and the type is in use. */
export interface OfferedBottle {
  typeId: number
  terms: BottleTerms
  name: string
  nameAr: string | null
  /** For one bottle that comes back; 0 if the price includes it. */
  deposit: Fils
}

/** An `OfferedBottle` as JSON, or null: of the row `product` of products, whether it is read into memory or in a statement. */
export const offeredBottleSql = (product: string) =>
  `(select json_build_object('typeId', t.id, 'terms', ${product}.bottle_terms, 'name', t.name, 'nameAr', t.name_ar,
     'deposit', case ${product}.bottle_terms when 'exchange' then t.deposit else 0 end)
    from bottle_types t join vendor_business b on b.vendor_id = t.vendor_id and b.bottles
    where t.id = ${product}.bottle_type_id and t.is_active)`

export const offeredBottle = sql<OfferedBottle | null>`${sql.raw(offeredBottleSql('products'))}`
