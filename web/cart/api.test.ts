import { type Cart, emptyCart } from '@qatra/contract/cart/cart'
import { expect, it } from 'vitest'
import { createQueries } from '../app/queries.ts'
import { cacheCart, cachedCart, cartQuery, refetchCart } from './api.ts'

it('a read that was overtaken by a change keeps the newer cart; another cart replaces it', async () => {
  let answer: Cart = { ...emptyCart, id: 9, version: 2 }
  const queries = createQueries(async () => answer)
  await queries.fetchQuery(cartQuery())
  cacheCart(queries, { ...answer, version: 3 })
  await refetchCart(queries)
  expect(cachedCart(queries).version).toBe(3)

  answer = { ...emptyCart, id: 10, version: 1 }
  await refetchCart(queries)
  expect(cachedCart(queries)).toMatchObject({ id: 10, version: 1 })
})
