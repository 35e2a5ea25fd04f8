import type { User } from '@qatra/contract/auth'
import { fieldWords } from '@qatra/contract/fields'
import { type Coordinates, isChosen } from '@qatra/contract/geo'
import { placeOrder } from '@qatra/contract/orders'
import type { Translate } from '../app/i18n.tsx'
import { filledParts, neededParts, type PartName, type Parts, partNames, toParts } from './address.ts'

export interface CheckoutForm {
  point: Coordinates | null
  parts: Parts
  /** Free-text address that replaces the parts; null if the parts are used. */
  ownAddress: string | null
  instructions: string
  customerName: string
}

export type FieldName = 'map' | 'address' | 'instructions' | 'customerName' | PartName
export type Problems = Partial<Record<FieldName, string>>

/** Order of the fields on the page, to focus the first invalid one. */
export const fieldOrder: readonly FieldName[] = ['map', ...partNames, 'address', 'instructions', 'customerName']

/** Form values from the person's profile. */
export function startForm(user: User | null): CheckoutForm {
  const hasParts = Object.keys(user?.addressParts ?? {}).length > 0
  return {
    point: isChosen(user?.mapCoordinates) ? user.mapCoordinates : null,
    parts: toParts(user?.addressParts),
    ownAddress: hasParts ? null : (user?.address ?? null),
    instructions: user?.instructions ?? '',
    customerName: user?.name ?? '',
  }
}

export function bodyOf({ point, parts, instructions, customerName }: CheckoutForm, address: string) {
  return {
    customerName,
    address,
    addressParts: filledParts(parts),
    mapCoordinates: point ?? { lat: 0, lng: 0 },
    instructions: instructions.trim() || null,
    paymentMethod: 'cash' as const,
  }
}

/** Validates with the same schema as the server. */
export function problemsOf(form: CheckoutForm, address: string, t: Translate): Problems {
  const problems: Problems = {}
  if (!isChosen(form.point)) problems.map = t('checkout.error.addressHint')
  if (form.ownAddress === null) {
    const missing = neededParts.filter((name) => form.parts[name].trim() === '')
    for (const name of missing) problems[name] = t(`checkout.error.${name}`)
  }
  const checked = placeOrder.body?.safeParse(bodyOf(form, address))
  for (const issue of checked?.error?.issues ?? []) {
    const name = fieldAt(issue.path, form)
    const { key, values } = fieldWords(issue)
    problems[name] ??= t(key, values)
  }
  return problems
}

const known = new Set<PropertyKey>(fieldOrder)
const isField = (name: PropertyKey | undefined): name is FieldName => name !== undefined && known.has(name)

function fieldAt(path: readonly PropertyKey[], form: CheckoutForm): FieldName {
  const [name, part] = path
  if (name === 'mapCoordinates') return 'map'
  if (name === 'addressParts' && isField(part)) return part
  if (name === 'address' && form.ownAddress === null) return 'block'
  return isField(name) ? name : 'address'
}

/** Field errors of the server (`details.fields`), which may name parts by path. */
export function problemsFrom(fields: Readonly<Record<string, string>> | undefined, form: CheckoutForm): Problems {
  const problems: Problems = {}
  for (const [path, text] of Object.entries(fields ?? {})) problems[fieldAt(path.split('.'), form)] ??= text
  return problems
}

export const firstOf = (problems: Problems): FieldName | undefined => fieldOrder.find((name) => problems[name])
