import * as z from 'zod/mini'
import { cart } from '../../cart/cart.ts'
import { cartQuantity } from '../../cart/rules.ts'
import { endpoint } from '../../endpoint.ts'
import { rowId } from '../../lib/ids.ts'
import { coordinates } from '../../places/geo.ts'
import { pinSources } from '../../places/pin.ts'
import { addressParts } from '../../users/auth.ts'
import { mayRead, mayReply } from '../access.ts'

const BASE = '/api/admin/whatsapp/conversations/{contact}/cart'
const params = z.object({ contact: z.string().check(z.maxLength(40)) })

export const conversationCart = z.object({
  cart,
  vendor: z.nullable(z.object({ id: z.number(), name: z.string(), nameAr: z.nullable(z.string()) })),
  /** BHD missing to the vendor's minimum. */
  minimumLeft: z.number(),
  /** The first delivery day of the vendor. */
  promisedDate: z.nullable(z.string()),
  area: z.nullable(z.object({ name: z.string(), nameAr: z.nullable(z.string()) })),
  /** What the bot learned for the order, for customers without an account. */
  name: z.nullable(z.string()),
  address: z.nullable(z.string()),
  addressParts: z.nullable(addressParts),
  mapCoordinates: z.nullable(coordinates),
  pinSource: z.nullable(z.enum(pinSources)),
  /** The customer was shown this cart and can confirm it. */
  isAwaitingYes: z.boolean(),
})
export type ConversationCart = z.output<typeof conversationCart>

export const getConversationCart = endpoint({
  method: 'GET',
  path: BASE,
  ...mayRead,
  summary: 'The cart of the customer of a conversation, with what is known for the delivery',
  params,
  returns: conversationCart,
  errors: ['CONTACT_NOT_FOUND'],
})

export const changeConversationCart = endpoint({
  method: 'PATCH',
  path: `${BASE}/{itemId}`,
  ...mayReply,
  summary: 'Set a quantity in the cart of the customer; 0 removes the item',
  params: z.extend(params, { itemId: rowId }),
  body: z.object({ quantity: z.union([z.literal(0), cartQuantity]) }),
  returns: conversationCart,
  errors: ['CONTACT_NOT_FOUND', 'CART_ITEM_NOT_FOUND', 'QUANTITY_LIMIT'],
})

export const sendConversationCart = endpoint({
  method: 'POST',
  path: `${BASE}/confirmation`,
  ...mayReply,
  summary:
    'Let the bot ask the customer to confirm the cart, or for what is missing; a repeated request for the same cart sends nothing',
  params,
  returns: conversationCart,
  errors: ['CONTACT_NOT_FOUND', 'CART_EMPTY', 'SERVICE_WINDOW_CLOSED'],
})
