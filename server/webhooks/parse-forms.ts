import { cut } from '@qatra/contract/lib/fit'
import type { Referral } from '@qatra/contract/users/referral'
import type { OrderedItem } from '../conversations/received.ts'
import { type Json, numberOf, objectOf, objectsIn, textOf } from './parse-json.ts'

const MAX_ORDERED_ITEMS = 50
const MAX_ANSWERS = 40

/** Products that the customer put into the cart of Meta's catalogue. */
export function orderedItemsIn(order: Json): OrderedItem[] {
  const items = objectsIn(order['product_items']).flatMap((item) => {
    const retailerId = textOf(item['product_retailer_id'], 100)
    const quantity = numberOf(item['quantity']) ?? Number(textOf(item['quantity'], 10) ?? Number.NaN)
    return retailerId !== null && Number.isInteger(quantity) && quantity > 0 ? [{ retailerId, quantity }] : []
  })
  return items.slice(0, MAX_ORDERED_ITEMS)
}

interface Answer {
  name: string
  value: string
}

/** The answers of a filled-in form; the token is ours. */
export function answersIn(reply: Json): Answer[] {
  const answers = Object.entries(objectOf(parseJson(textOf(reply['response_json']) ?? ''))).flatMap(([name, value]) =>
    name === 'flow_token' ? [] : flattened(name, value),
  )
  return answers.slice(0, MAX_ANSWERS)
}

/** Groups of answers become single answers. */
function flattened(name: string, value: unknown, depth = 0): Answer[] {
  const inner = Object.entries(objectOf(value))
  if (inner.length > 0 && depth < 3) return inner.flatMap(([key, one]) => flattened(key, one, depth + 1))
  const words = Array.isArray(value) ? value.filter((one) => typeof one !== 'object').join('، ') : value
  const isPlain = typeof words === 'string' || typeof words === 'number' || typeof words === 'boolean'
  return isPlain && words !== '' ? [{ name: cut(name, 100), value: cut(String(words), 500) }] : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The ad or post that a first message came from. Its texts are by the advertiser. */
export function referralIn(part: Json): Referral | null {
  const sourceType = textOf(part['source_type'], 30)
  if (sourceType === null) return null
  const url = textOf(part['source_url'], 1_000)
  return {
    sourceType,
    sourceId: textOf(part['source_id'], 100),
    sourceUrl: url !== null && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : null,
    headline: textOf(part['headline'], 300),
    body: textOf(part['body'], 1_000),
    clickId: textOf(part['ctwa_clid'], 300),
  }
}
