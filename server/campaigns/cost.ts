import { costByThousand, fromBhd, toBhd } from '@qatra/contract/money'
import { type MessagePrices, priceCategories, priceCountryOf } from '@qatra/contract/settings'
import type { CampaignCost } from '@qatra/contract/whatsapp-campaigns'

/** Estimated cost of one message of this category to each phone. */
export function costOf(phones: readonly string[], category: string, prices: MessagePrices): CampaignCost {
  const kind = priceCategories.find((one) => one === category.toLowerCase())
  const counts = Map.groupBy(phones, priceCountryOf)
  const priced: Parameters<typeof costByThousand>[0][number][] = []
  let unpriced = 0
  for (const [country, { length: count }] of counts) {
    const price = kind && (prices[country]?.[kind] ?? prices.other?.[kind])
    if (price === undefined) unpriced += count
    else priced.push({ count, price: fromBhd(price) })
  }
  return { amount: toBhd(costByThousand(priced)), unpriced }
}
