import type { CartItem } from '@qatra/contract/cart/cart'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd, timesFils } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import { sumsOf } from '@qatra/contract/orders/totals'
import { formatSize, sizeKey } from '@qatra/contract/products/sizes'
import { itemText, type SoldUnit } from '@qatra/contract/products/unit-text'
import { translatorFor } from '../../../lib/translate.ts'
import { say, type TurnContext } from '../replies.ts'

const gallon = { ar: 'غالون', en: 'gallon' } as const
const isGallon = (size: string) => sizeKey(size) === sizeKey('5 gallon')

type Named = Pick<CartItem, 'name' | 'nameAr' | 'size'>

/** `مياه هيرات 500 مل`; does not repeat the size. */
export function itemName({ memory: { language } }: TurnContext, product: Named): string {
  const name = nameIn(language, product)
  const size = formatSize(product.size, language)
  return name.includes(size) || (isGallon(product.size) && name.includes(gallon[language])) ? name : `${name} ${size}`
}

/** `3 cartons of 24 · Hayrat water 500 ml` */
export const countedItem = (turn: TurnContext, item: Named & SoldUnit, count: number): string =>
  itemText(unitWords(turn), item, { count, name: itemName(turn, item) })

/** The unit of sale in the language of the conversation. */
export const unitWords = ({ memory: { language } }: TurnContext) => ({ t: translatorFor(language), lang: language })

/** Words that all products share. */
const generic = new Set('water مياه ماء'.split(' ').map(fold))

/** Product name without the vendor's name: `القلوية`, `low sodium`, `مياه`. */
export function shortName(name: string, vendorName: string): string {
  const words = name.replace(vendorName, ' ').trim().split(/\s+/)
  const [first = '', ...rest] = words
  return (rest.length > 0 && generic.has(fold(first)) ? rest : words).join(' ') || name
}

/** A message fits some eighty lines; more are not readable. */
const MAX_LINES = 30

/** Lines and totals as the site shows them. */
export function cartText(turn: TurnContext): string {
  const { cart, facts, memory } = turn
  const { language } = memory
  const vendor = facts.catalogue.vendors.get(cart.vendorId ?? 0)
  const money = (bhd: number) => formatMoney(fromBhd(bhd), language)
  const lines = cart.items.slice(0, MAX_LINES).map((item) => {
    const counted = countedItem(turn, item, item.quantity)
    if (!item.isAvailable) return say(turn, 'bot.cart.unavailable', { item: counted })
    const amount = formatMoney(timesFils(fromBhd(item.price), item.quantity), language)
    return say(turn, 'bot.cart.line', { item: counted, amount })
  })
  const rest = cart.items.length - lines.length
  return [
    say(turn, 'bot.cart.title', { vendor: vendor ? nameIn(language, vendor) : '' }),
    ...lines,
    ...(rest > 0 ? [say(turn, 'bot.cart.rest', { count: rest })] : []),
    '',
    ...sumsOf(cart).flatMap(({ kind, amount }) => {
      if (kind === 'productVAT' && amount === 0) return []
      const shown = kind === 'deliveryFee' && amount === 0 ? say(turn, 'bot.free') : money(amount)
      return [say(turn, 'bot.sum.part', { name: unitWords(turn).t(`totals.${kind}`), amount: shown })]
    }),
    say(turn, 'bot.sum.total', { amount: money(cart.total) }),
  ].join('\n')
}
