import type { AdminLink } from '@qatra/contract/links/admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'

/** Pages that a link can open after the sign-in, with their labels. */
export function useTargets() {
  const t = useT()
  const nameIn = useNameIn()
  const { data: vendors = [] } = useQuery(read(listVendors))
  const options = [
    { value: '/', label: t('links.target.home') },
    { value: '/orders', label: t('links.target.orders') },
    { value: '/checkout', label: t('links.target.checkout') },
    { value: '/profile', label: t('links.target.profile') },
    ...vendors.map((vendor) => ({
      value: `/?vendor=${vendor.id}`,
      label: t('links.target.vendor', { name: nameIn(vendor) }),
    })),
  ]
  const nameOf = ({ redirectUrl }: Pick<AdminLink, 'redirectUrl'>) =>
    options.find(({ value }) => value === (redirectUrl ?? '/'))?.label ?? t('links.target.other')
  return { options, nameOf }
}
