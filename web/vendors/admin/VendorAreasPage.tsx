import { listManagedAreas } from '@qatra/contract/places/areas-admin'
import { getManagedVendor } from '@qatra/contract/vendors/admin'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { AreasOfVendor } from './AreasOfVendor.tsx'

const queryOf = (id: string) => read(getManagedVendor, { params: { id } })

function Component() {
  const t = useT()
  const nameIn = useNameIn()
  const { id = '' } = useParams({ strict: false })
  const { data: vendor } = useQuery(queryOf(id))
  return (
    <AdminPageLayout
      title={t('admin.vendors.areasOf', { name: vendor ? nameIn(vendor) : '' })}
      actions={
        <Link to="/admin/vendors/$id" params={{ id }} className={toolbarButtonClass()}>
          {t('admin.back')}
        </Link>
      }
    >
      <div className="flex flex-1 flex-col px-4 pb-6 md:px-6">
        {vendor && <AreasOfVendor key={id} vendor={vendor} />}
      </div>
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component,
  load: ({ queries, params: { id = '' } }) =>
    Promise.all([queries.ensureQueryData(queryOf(id)), queries.ensureQueryData(read(listManagedAreas))]),
  head: ({ t }) => ({ title: t('admin.nav.vendors'), hidden: true }),
}
