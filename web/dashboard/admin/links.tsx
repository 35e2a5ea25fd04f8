import type { CustomersAsked, OrdersAsked } from '@qatra/contract/dashboard/links'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const several = (text: string | undefined) => text?.split(',')

/** A query of the order list as search parameters of its page. */
export const deskSearch = ({ vendorId, areaId, productId, driverId, status, ...same }: OrdersAsked) => ({
  ...same,
  vendor: vendorId,
  area: several(areaId),
  product: several(productId),
  driver: several(driverId),
  status: several(status),
})

export const customersSearch = ({ vendorId, ...same }: CustomersAsked) => ({ ...same, vendor: vendorId })

interface NumberLinkProps {
  className?: string
  title?: string
  children?: ReactNode
}

/** A number that links to the orders it counts. */
export function OrdersLink({ orders, className, title, children }: NumberLinkProps & { orders: OrdersAsked }) {
  return (
    <Link
      to="/admin/orders"
      // The page parses its own search parameters; the route's type does not contain them.
      search={deskSearch(orders)}
      className={className}
      title={title}
    >
      {children}
    </Link>
  )
}

export function CustomersLink({ customers, className, children }: NumberLinkProps & { customers: CustomersAsked }) {
  return (
    <Link to="/admin/customers" search={customersSearch(customers)} className={className}>
      {children}
    </Link>
  )
}
