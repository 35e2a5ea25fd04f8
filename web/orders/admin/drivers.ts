import { type Driver, listDrivers } from '@qatra/contract/drivers'
import { nameOrder } from '@qatra/contract/lib/text'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { read } from '../../lib/api-client.ts'
import { useLang } from '../../lib/language/i18n.tsx'
import { distinctInitials } from '../../ui/admin/Avatar.tsx'

export interface DriversOf {
  /** Null: of all vendors in reach. */
  vendorId: number | null
  /** The day whose orders are counted for each driver. Default: today. */
  day?: string | undefined
  enabled?: boolean
}

export const nameOfDriver = ({ name, phone }: Pick<Driver, 'name' | 'phone'>) => name ?? phone

/** The drivers in the order of their names, and the initials of each, no two alike. */
export function useDrivers({ vendorId, day, enabled = true }: DriversOf) {
  const lang = useLang()
  const query = { ...(vendorId === null ? {} : { vendorId: String(vendorId) }), ...(day ? { date: day } : {}) }
  const { data, isError, refetch } = useQuery({ ...read(listDrivers, { query }), enabled })
  const sorted = useMemo(() => {
    const compare = nameOrder(lang)
    return data && [...data].sort((a, b) => compare(nameOfDriver(a), nameOfDriver(b)))
  }, [data, lang])
  const initials = useMemo(() => distinctInitials(sorted ?? []), [sorted])
  return { drivers: sorted, initials, isError, refetch }
}
