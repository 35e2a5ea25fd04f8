import { isAskedForEmpties } from '@qatra/contract/bottles'
import type { CartItem } from '@qatra/contract/cart/cart'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd, timesFils } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import { sumsOf } from '@qatra/contract/orders/totals'
import { formatSize, sizeKey } from '@qatra/contract/products/sizes'
import { type SoldUnit, unitName } from '@qatra/contract/products/unit-name'
import { countText, itemText, quantityText } from '@qatra/contract/products/unit-text'
import { translatorFor } from '../../../lib/translate.ts'
import { limits } from '../../../providers/message.ts'
import { type Choice, say, type TurnContext } from '../replies.ts'

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

/** `carton of 20` */
export const packOf = (turn: TurnContext, product: SoldUnit): string => unitName(unitWords(turn), product)

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
    const line = say(turn, 'bot.cart.line', { item: counted, amount })
    if (item.bottle?.terms !== 'exchange' || isAskedForEmpties(item, cart.free)) return line
    return `${line}\n${unitWords(turn).t('bottles.gives', { count: item.empties })}`
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

/** `12 bottles are half a carton`, with what they come to in whole packs. */
export function packsText(turn: TurnContext, item: Parameters<typeof countedItem>[1], bottles: number): string {
  const { unitsPerInventoryUnit: inPack } = item
  const packs = Math.ceil(bottles / inPack)
  const key = bottles % inPack === 0 ? 'whole' : bottles * 2 === inPack ? 'half' : bottles < inPack ? 'less' : 'more'
  const words = unitWords(turn)
  return say(turn, `bot.bottles.${key}`, {
    bottles: words.t('unit.bottle', { count: bottles }),
    item: countedItem(turn, item, packs),
  })
}

/** A row for a line of the cart; it is called by its unit and size. */
export function rowOfLine(turn: TurnContext, item: CartItem, kind: 'item' | 'drop'): Choice {
  const words = unitWords(turn)
  const titles = [quantityText(words, item, item.quantity), countText(words, item, item.quantity)]
  const title = titles.find(({ length }) => length <= limits.rowTitle)
  return title
    ? [`${kind}:${item.id}`, title, itemName(turn, item)]
    : [
        `${kind}:${item.id}`,
        `${item.quantity} × ${formatSize(item.size, words.lang)}`,
        countedItem(turn, item, item.quantity),
      ]
}
