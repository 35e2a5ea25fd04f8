import { getSetup, type SetupItem } from '@qatra/contract/settings/setup'
import { listManagedVendors, type ManagedVendor } from '@qatra/contract/vendors/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { CustomerImport } from '../../customers/admin/CustomerImport.tsx'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { ProductImport } from '../../products/admin/ProductImport.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { PeopleImport } from '../../users/admin/PeopleImport.tsx'
import { AreasOfVendor } from '../../vendors/admin/AreasOfVendor.tsx'
import { DeliveryDays } from '../../vendors/admin/DeliveryDays.tsx'
import { VendorForm } from '../../vendors/admin/VendorForm.tsx'

/** Asks what is done and what is missing again. */
function useRefresh() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: [getSetup.path] })
}

/** The vendor, then its products, then its areas: the first of them that is missing. */
export function OfferStep({ item: { missing } }: { item: SetupItem }) {
  const refresh = useRefresh()
  const { data } = useQuery(read(listManagedVendors, { query: { limit: 100 } }))
  const offering = data?.items.find(({ productCount }) => productCount > 0) ?? data?.items[0]
  if (missing.includes('vendor'))
    return (
      <Narrow>
        <VendorForm vendor={null} onSaved={() => void refresh()} />
      </Narrow>
    )
  if (missing.includes('product')) return <ProductImport onWritten={refresh} />
  if (missing.includes('vendorAreas') && offering)
    return <AreasOfVendor key={offering.id} vendor={offering} onSaved={refresh} />
  return null
}

/** Cut-off times of the vendors, one at a time. */
export function DaysStep() {
  const t = useT()
  const nameIn = useNameIn()
  const refresh = useRefresh()
  const { data } = useQuery(read(listManagedVendors, { query: { limit: 100 } }))
  const [chosen, setChosen] = useState<number | null>(null)
  const vendors: readonly ManagedVendor[] = data?.items ?? []
  const vendor = vendors.find(({ id }) => id === chosen) ?? vendors[0]
  if (!vendor) return <p className="text-ink-2">{t('setup.testOrder.noVendor')}</p>
  return (
    <Narrow>
      {vendors.length > 1 && (
        <SelectField
          label={t('setup.testOrder.vendor')}
          value={vendor.id}
          options={vendors.map((each) => ({ value: each.id, label: nameIn(each) }))}
          onChange={(id) => setChosen(id)}
        />
      )}
      <DeliveryDays key={`${vendor.id} ${vendor.version}`} vendor={vendor} onSaved={refresh} />
    </Narrow>
  )
}

export function PeopleStep() {
  return <PeopleImport onWritten={useRefresh()} />
}

export function CustomersStep() {
  return <CustomerImport onWritten={useRefresh()} />
}

const Narrow = ({ children }: { children: ReactNode }) => <div className="grid max-w-160 gap-4">{children}</div>
