/** What becomes of the bottle in which a product is sold: it stays the vendor's and comes back, or the price includes it. */
export const bottleTerms = ['exchange', 'sold'] as const
export type BottleTerms = (typeof bottleTerms)[number]
