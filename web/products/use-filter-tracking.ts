import { useEffect } from 'react'
import { track } from '../analytics/events.ts'

/** Reports the vendor and size filters to analytics. */
export function useFilterTracking(vendor: { id: number; name: string } | null, size: string | undefined) {
  const { id, name } = vendor ?? {}
  useEffect(() => {
    if (id !== undefined && name !== undefined) track('vendor_selected', { vendorId: id, name })
  }, [id, name])
  useEffect(() => {
    if (size !== undefined) track('filter_applied', { filter: 'size', value: size })
  }, [size])
}
