import type { Coordinates } from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import { toParts } from '@qatra/contract/users/address-parts'
import type { AddressParts } from '@qatra/contract/users/auth'
import { onPersonChanged } from '../../app/session/session.ts'
import type { Draft } from './draft.ts'

/** What another page knows of a caller, for a link with `?phone=`. */
export interface LinkedCaller {
  phone: string
  name: string
  point: Coordinates | null
  pinSource?: PinSource | null
  address: string | null
  parts: AddressParts | null
  lines: readonly { productId: number; quantity: number }[]
}

// In memory, since names and addresses do not belong into an address of the browser.
let linked: LinkedCaller | null = null
onPersonChanged(() => {
  linked = null
})

export function linkCaller(caller: LinkedCaller) {
  linked = caller
}

/** The fields of the draft that the link fills, once. */
export function takeCaller(phone: string): Partial<Draft> {
  const caller = linked
  linked = null
  if (caller?.phone !== phone) return {}
  const { name, point, pinSource = null, address, parts, lines } = caller
  return {
    name,
    point,
    pin: { source: pinSource },
    ownAddress: address,
    parts: toParts(parts),
    lines: lines.map((line) => ({ ...line, customPrice: null, isPriced: false, reason: '' })),
  }
}
