import { listManagedAreas } from '@qatra/contract/places/areas-admin'
import type { User } from '@qatra/contract/users/auth'
import { getManagedVendor, listManagedVendors, type ManagedVendor } from '@qatra/contract/vendors/admin'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { CalendarDesk, calendarQuery } from '../../calendar/admin/CalendarDesk.tsx'
import { read } from '../../lib/api-client.ts'
import { findUser, useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { idIn, oneOf, readSearch, useSearchState } from '../../lib/search-state.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { RarePages } from '../../ui/admin/RarePages.tsx'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'
import { AreasOfVendor } from './AreasOfVendor.tsx'
import { BusinessPart, businessQuery } from './BusinessPart.tsx'
import { DeliveryDays } from './DeliveryDays.tsx'
import { VendorForm } from './VendorForm.tsx'

const parts = ['facts', 'areas', 'days', 'business'] as const
const shape = { part: oneOf(parts), vendor: idIn }
const vendorsQuery = read(listManagedVendors, { query: { limit: 100 } })
const queryOf = (id: number) => read(getManagedVendor, { params: { id: String(id) } })

/** Staff do not set how the vendor does business. */
const partsFor = (user: User | null) =>
  parts.filter((part) => part !== 'business' || user?.permissions.includes('vendors.business'))

/** The user's vendor; for a super admin the vendor in the address, or the first. */
function useVendorId(): number | null {
  const user = useUser()
  const [{ vendor }] = useSearchState(shape)
  const isMarket = user?.role === 'super_admin'
  const { data } = useQuery({ ...vendorsQuery, enabled: isMarket })
  return isMarket ? (vendor ?? data?.items[0]?.id ?? null) : (user?.vendorId ?? null)
}

function Component() {
  const t = useT()
  const nameIn = useNameIn()
  const id = useVendorId()
  const user = useUser()
  const isMarket = user?.role === 'super_admin'
  const offered = partsFor(user)
  const [{ part: wanted = 'facts' }] = useSearchState(shape)
  const part = offered.includes(wanted) ? wanted : 'facts'
  const { data: vendor } = useQuery({ ...queryOf(id ?? 0), enabled: id !== null })
  return (
    <AdminPageLayout
      title={
        <span className="flex items-center gap-3">
          {vendor && <VendorEmblem {...vendor} name={nameIn(vendor)} size={36} />}
          {vendor ? nameIn(vendor) : t('admin.nav.control')}
        </span>
      }
      actions={<VendorChoice id={id} />}
      head={
        <Tabs
          label={t('admin.nav.control')}
          chosen={part}
          items={offered.map((key) => ({
            key,
            label: t(`admin.vendors.tab.${key}`),
            search: { part: key === 'facts' ? undefined : key },
          }))}
        />
      }
    >
      {id === null && (
        <EmptyState title={t('admin.vendors.noneYet')} text={t('admin.vendors.noneYet.hint')}>
          <Link to="/admin/vendors/new" className={buttonClass('aqua')}>
            {t('admin.vendors.create')}
          </Link>
        </EmptyState>
      )}
      {vendor && <Part key={`${vendor.id} ${part}`} part={part} vendor={vendor} />}
      {!isMarket && (
        <div className="px-4 pb-8 md:px-6">
          <RarePages />
        </div>
      )}
    </AdminPageLayout>
  )
}

function Part({ part, vendor }: { part: (typeof parts)[number]; vendor: ManagedVendor }) {
  if (part === 'areas')
    return (
      <div className="flex flex-1 flex-col px-4 py-5 md:px-6">
        <AreasOfVendor vendor={vendor} />
      </div>
    )
  if (part === 'days')
    return (
      <div className="grid gap-6 px-4 py-5 md:px-6">
        <DeliveryDays key={vendor.version} vendor={vendor} />
        <CalendarDesk vendor={vendor} />
      </div>
    )
  if (part === 'business') return <BusinessPart vendorId={vendor.id} />
  return (
    <div className="w-full max-w-150 px-4 py-5 md:px-6">
      <VendorForm key={vendor.version} vendor={vendor} onSaved={() => undefined} />
    </div>
  )
}

function VendorChoice({ id }: { id: number | null }) {
  const t = useT()
  const nameIn = useNameIn()
  const user = useUser()
  const [, setState] = useSearchState(shape)
  const isMarket = user?.role === 'super_admin'
  const { data } = useQuery({ ...vendorsQuery, enabled: isMarket })
  if (!isMarket || !data || data.items.length === 0) return null
  return (
    <SelectField
      className="w-56 [&>label]:sr-only"
      label={t('admin.vendors.vendor')}
      value={id}
      options={data.items.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
      onChange={(vendor) => setState({ vendor: vendor ?? undefined })}
    />
  )
}

async function load(queries: QueryClient, vendorId: number | undefined, part: string | undefined) {
  const user = await findUser(queries)
  const first =
    user?.role === 'super_admin' ? (await queries.ensureQueryData(vendorsQuery)).items[0]?.id : user?.vendorId
  const id = user?.role === 'super_admin' ? (vendorId ?? first) : first
  if (!id) return
  await Promise.all([
    queries.ensureQueryData(queryOf(id)),
    part === 'areas' ? queries.ensureQueryData(read(listManagedAreas)) : null,
    part === 'days' ? queries.ensureQueryData(calendarQuery(new Date(), id)) : null,
    part === 'business' && partsFor(user).includes(part) ? queries.ensureQueryData(businessQuery(id)) : null,
  ])
}

export const page: Page = {
  Component,
  load: ({ queries, search }) => {
    const { vendor, part } = readSearch(shape, search)
    return load(queries, vendor, part)
  },
  head: ({ t }) => ({ title: t('admin.nav.control'), hidden: true }),
}
