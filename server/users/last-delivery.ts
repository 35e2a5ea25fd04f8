/**
 * The end of the statement that places an order: saves name and address as the customer's, for the next order. `order` is
 * the part that returns the new row of `orders`; `isOwn` is false if another person acts for the customer.
 */
export const rememberingDelivery = (order: string, isOwn: string) => `
  update users u set (name, address, address_parts, lat, lng, instructions) =
      (o.customer_name, o.address, o.address_parts, o.lat, o.lng, o.instructions), updated_at = now()
  from ${order} o
  where u.id = o.user_id and ${isOwn} and (u.name, u.address, u.address_parts, u.lat, u.lng, u.instructions)
    is distinct from (o.customer_name, o.address, o.address_parts, o.lat, o.lng, o.instructions)`
