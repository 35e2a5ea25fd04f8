import { mostAddresses } from '@qatra/contract/users/addresses'

interface Saving {
  /** The part of the statement that returns the new row of `orders`. */
  order: string
  /** False if another person acts for the customer: nothing is saved. */
  isOwn: string
  /**
   * The saved address from which the order was made; null: an equal one. The text of the same block, road, building and
   * flat may be in another language.
   */
  addressId: string
  /** True if the customer was asked whether the pin of the saved address is at the door. */
  isPinAsked: string
}

/**
 * The end of the statement that places an order: saves name and address for the next order. The address replaces the saved
 * one; without one it is added, as the default if there is none, while the book is not full. From now
 * on its area counts, not the one chosen before. The caller has locked the account.
 */
export const savingDelivery = ({ order, isOwn, addressId, isPinAsked }: Saving) => `,
  used_address as (
    update addresses a set (address, address_parts, lat, lng, pin_source, instructions, receiver_name, receiver_phone, used_at) =
      (o.address, o.address_parts, o.lat, o.lng, o.pin_source, o.instructions, o.receiver_name, o.receiver_phone, o.created_at),
      is_pin_asked = (a.lat, a.lng) = (o.lat, o.lng) and (a.is_pin_asked or ${isPinAsked})
    from ${order} o
    where ${isOwn} and a.id = (
      select b.id from addresses b
      where b.user_id = o.user_id and case when ${addressId} is not null then b.id = ${addressId}
        else (b.address, b.lat, b.lng) = (o.address, o.lat, o.lng)
          or b.address_parts = o.address_parts and b.address_parts ? 'block' and b.address_parts ? 'building' end
      order by b.is_default desc, b.used_at desc limit 1)
    returning a.id),
  new_address as (
    insert into addresses (user_id, address, address_parts, lat, lng, pin_source, instructions, receiver_name,
                           receiver_phone, used_at, is_default)
    select o.user_id, o.address, o.address_parts, o.lat, o.lng, o.pin_source, o.instructions, o.receiver_name,
      o.receiver_phone, o.created_at, not exists (select from addresses b where b.user_id = o.user_id and b.is_default)
    from ${order} o
    where ${isOwn} and not exists (select from used_address)
      and (select count(*) from addresses b where b.user_id = o.user_id) < ${mostAddresses})
  update users u set name = o.customer_name, delivery_area_id = null, updated_at = now()
  from ${order} o
  where u.id = o.user_id and ${isOwn}
    and (u.name is distinct from o.customer_name or u.delivery_area_id is not null)`
