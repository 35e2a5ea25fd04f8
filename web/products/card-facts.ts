import { litrePrice } from '@qatra/contract/products/litre-price'
import type { Product } from '@qatra/contract/products/products'
import { sizeKey } from '@qatra/contract/products/sizes'
import { bottleTermsOf } from '@qatra/contract/products/unit-name'

export type CardFact = 'mostOrdered' | 'bestPrice'

/**
 * What is best of one vendor's products: the one that most orders have, and the one whose litre costs least. A product
 * has one fact at most, and where two cost the same none is the best.
 */
export function cardFacts(products: readonly Product[]): ReadonlyMap<number, CardFact> {
  const facts = new Map<number, CardFact>()
  const priced = products.flatMap((product) => {
    const litre = litrePrice(product)
    return litre === null ? [] : [{ id: product.id, litre }]
  })
  const [best, second] = priced.sort((a, b) => a.litre - b.litre)
  if (best && second && best.litre < second.litre) facts.set(best.id, 'bestPrice')
  for (const { id, isMostOrdered } of products) if (isMostOrdered) facts.set(id, 'mostOrdered')
  return facts
}

/** Price of the exchange that follows a bottle sold with its water; undefined for other products and without one. */
export function nextPriceOf(product: Product, products: readonly Product[]): number | undefined {
  if (bottleTermsOf(product) !== 'withBottle') return undefined
  const key = sizeKey(product.size)
  return products.find((one) => bottleTermsOf(one) === 'exchange' && sizeKey(one.size) === key)?.price
}
