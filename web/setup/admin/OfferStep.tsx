import { getSetup, type SetupItem } from '@qatra/contract/settings/setup'
import { listManagedVendors, type ManagedVendor } from '@qatra/contract/vendors/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { CustomerImport } from '../../customers/admin/CustomerImport.tsx'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { NewProduct } from '../../products/admin/NewProductPage.tsx'
import { ProductImport } from '../../products/admin/ProductImport.tsx'
import { emptyProduct } from '../../products/admin/product-form.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { Segmented } from '../../ui/admin/Segmented.tsx'
import { PersonForm } from '../../users/admin/NewPerson.tsx'
import { PeopleImport } from '../../users/admin/PeopleImport.tsx'
import { AreasOfVendor } from '../../vendors/admin/AreasOfVendor.tsx'
import { DeliveryDays } from '../../vendors/admin/DeliveryDays.tsx'
import { VendorForm } from '../../vendors/admin/VendorForm.tsx'
import { leaveForStep } from './BackToSetup.tsx'

/** Asks what is done and what is missing again. */
function useRefresh() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: [getSetup.path] })
}

const offerParts = ['vendor', 'file', 'product', 'areas'] as const
type OfferPart = (typeof offerParts)[number]

/** The vendor, its products and its areas; opens with the first of them that is missing. */
export function OfferStep({ item: { missing } }: { item: SetupItem }) {
  const t = useT()
  const refresh = useRefresh()
  const { data } = useQuery(read(listManagedVendors, { query: { limit: 100 } }))
  const vendor = data?.items.find(({ productCount }) => productCount > 0) ?? data?.items[0] ?? null
  const [chosen, setChosen] = useState<OfferPart | null>(null)
  const [added, setAdded] = useState(0)
  const first = missing.includes('vendor') ? 'vendor' : missing.includes('product') ? 'file' : 'areas'
  const part = vendor ? (chosen ?? first) : 'vendor'
  const next = () => {
    setChosen(null)
    return refresh()
  }
  return (
    <>
      {vendor && (
        <div className="max-w-full overflow-x-auto">
          <Segmented<OfferPart>
            label={t('setup.vendor.part')}
            value={part}
            options={offerParts.map((value) => ({ value, label: t(`setup.vendor.part.${value}`) }))}
            onChange={setChosen}
          />
        </div>
      )}
      {part === 'vendor' && (
        <Narrow>
          <VendorForm key={vendor?.version ?? 'new'} vendor={vendor} onSaved={() => void next()} />
        </Narrow>
      )}
      {part === 'file' && <ProductImport onWritten={refresh} />}
      {part === 'product' && vendor && (
        <div className="-mx-4 md:-mx-6">
          <NewProduct
            key={added}
            start={emptyProduct(vendor.id)}
            onSaved={() => {
              setAdded(added + 1)
              void refresh()
            }}
          />
        </div>
      )}
      {part === 'areas' && vendor && (
        <AreasOfVendor key={`${vendor.id} ${vendor.version}`} vendor={vendor} onSaved={next} />
      )}
    </>
  )
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

const peopleParts = ['many', 'one'] as const

export function PeopleStep() {
  const t = useT()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const [part, setPart] = useState<(typeof peopleParts)[number]>('many')
  const [added, setAdded] = useState(0)
  const onAdded = () => {
    setAdded(added + 1)
    void refresh()
  }
  return (
    <>
      <div>
        <Segmented<(typeof peopleParts)[number]>
          label={t('setup.people.part')}
          value={part}
          options={peopleParts.map((value) => ({ value, label: t(`setup.people.part.${value}`) }))}
          onChange={setPart}
        />
      </div>
      {part === 'many' ? (
        <PeopleImport onWritten={refresh} />
      ) : (
        <Narrow>
          <PersonForm
            key={added}
            onAdded={onAdded}
            onInvited={onAdded}
            onKnown={(id) => {
              leaveForStep('people')
              void navigate({ to: `/admin/users/${id}` as '/admin' })
            }}
          />
        </Narrow>
      )}
    </>
  )
}

export function CustomersStep() {
  return <CustomerImport onWritten={useRefresh()} />
}

const Narrow = ({ children }: { children: ReactNode }) => <div className="grid max-w-160 gap-4">{children}</div>
