/**
 * Part of the statement that places an order: where and to whom the person last had water delivered is what the next
 * order begins with. Values are the statement's own `$n`; nothing is written where nothing changed, and nothing by
 * somebody who acts as this user. Waits for the part named `after`, and does nothing where that one wrote nothing.
 */
export function rememberingDelivery(value: {
  userId: string
  name: string
  address: string
  addressParts: string
  lat: string
  lng: string
  instructions: string
  isOwnHand: string
  after: string
}) {
  const { userId, name, address, addressParts, lat, lng, instructions, isOwnHand, after } = value
  const columns = '(name, address, address_parts, lat, lng, instructions)'
  const values = `(${name}::text, ${address}::text, ${addressParts}::jsonb, ${lat}::float8, ${lng}::float8, ${instructions}::text)`
  return `
    update users set ${columns} = ${values}, updated_at = now()
    where id = ${userId} and ${isOwnHand}::boolean and exists (select from ${after}) and ${columns} is distinct from ${values}`
}
