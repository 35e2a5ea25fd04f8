import { listVendors } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { PeopleImport } from './PeopleImport.tsx'

function ImportPeoplePage() {
  const t = useT()
  return (
    <AdminPageLayout
      title={t('users.import.title')}
      actions={
        <Link to="/admin/users" className={toolbarButtonClass()}>
          {t('users.title')}
        </Link>
      }
    >
      <div className="px-4 pt-2 pb-10 md:px-6">
        <PeopleImport />
      </div>
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: ImportPeoplePage,
  load: ({ queries }) => queries.ensureQueryData(read(listVendors)),
  head: ({ t }) => ({ title: t('users.import.title'), hidden: true }),
}
