import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { getManagedVendor } from '@qatra/contract/vendors/admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { findUser, useUser } from '../../lib/current-user.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'
import { CalendarDesk, calendarQuery } from './CalendarDesk.tsx'

const ownQuery = (id: number) => read(getManagedVendor, { params: { id: String(id) } })

function Component() {
  const t = useT()
  const user = useUser()
  const own = user && user.role !== 'super_admin' ? user.vendorId : null
  const { data: vendor } = useQuery({ ...ownQuery(own ?? 0), enabled: own !== null })
  return (
    <AdminPageLayout title={t('admin.nav.calendar')} subtitle={t('admin.calendar.subtitle')}>
      <div className="grid gap-6 px-4 pb-8 md:px-6">
        <NextDays own={own} />
        {(own === null || vendor) && <CalendarDesk vendor={vendor ?? null} />}
      </div>
    </AdminPageLayout>
  )
}

/** Delivery day of an order placed now, as the shop shows it. */
function NextDays({ own }: { own: number | null }) {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const { data: vendors } = useQuery(read(listVendors))
  const shown = vendors?.filter(({ id }) => own === null || id === own)
  return (
    <section aria-label={t('admin.calendar.orderNow')}>
      <h2 className="mb-2 text-caption text-ink-3">{t('admin.calendar.orderNow')}</h2>
      <ul className="flex flex-wrap gap-2">
        {shown?.map((vendor) => (
          <li key={vendor.id} className="flex items-center gap-2.5 rounded-m bg-well py-1.5 ps-1.5 pe-3.5">
            <VendorEmblem {...vendor} name={nameIn(vendor)} size={28} />
            <span>
              <span dir="auto" className="block text-caption leading-relaxed text-ink-3">
                {nameIn(vendor)}
              </span>
              <span className="block font-strong">{slotWords(slotOf(vendor), lang, 'long')}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export const page: Page = {
  Component,
  async load({ queries }) {
    const user = await findUser(queries)
    const own = user && user.role !== 'super_admin' ? user.vendorId : null
    await Promise.all([
      queries.ensureQueryData(read(listVendors)),
      queries.ensureQueryData(calendarQuery(new Date(), own)),
      own ? queries.ensureQueryData(ownQuery(own)) : null,
    ])
  },
  head: ({ t }) => ({ title: t('admin.nav.calendar'), hidden: true }),
}
