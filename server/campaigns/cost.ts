import { costByThousand, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { type MessagePrices, priceCategories, priceCountryOf, priceOf } from '@qatra/contract/settings/settings'
import type { CampaignCost } from '@qatra/contract/whatsapp/campaigns/campaigns'

export interface CostGroup {
  /** Or only its calling code. */
  phone: string
  category: string
  count: number
}

/** Cost of messages by country and category. */
export function costOf(groups: readonly CostGroup[], prices: MessagePrices): CampaignCost {
  const priced: Parameters<typeof costByThousand>[0][number][] = []
  let unpriced = 0
  for (const { phone, category, count } of groups) {
    const kind = priceCategories.find((one) => one === category.toLowerCase())
    const price = kind && priceOf(prices, priceCountryOf(phone), kind)
    if (price === undefined) unpriced += count
    else priced.push({ count, price: fromBhd(price) })
  }
  return { amount: toBhd(costByThousand(priced)), unpriced }
}

/** Estimated cost of one message of this category to each phone. */
export const estimateOf = (phones: readonly string[], category: string, prices: MessagePrices): CampaignCost =>
  costOf(
    phones.map((phone) => ({ phone, category, count: 1 })),
    prices,
  )
