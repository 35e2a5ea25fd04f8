import { langs } from '@qatra/contract/lib/lang'
import { customerTemplate } from '@qatra/contract/users/customers-import'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import type { Page, PageRequest } from '../../app/page.ts'
import { addressOf, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { ToolbarLink, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { DownloadIcon, StartIcon } from '../../ui/icons.tsx'
import { CustomerImport, PastCustomerImports } from './CustomerImport.tsx'
import { importsQuery } from './import-api.ts'

function ImportPage() {
  const t = useT()
  return (
    <AdminPageLayout
      title={t('customerImport.title')}
      actions={
        <>
          {langs.map((lang) => (
            <ToolbarLink
              key={lang}
              icon={DownloadIcon}
              download
              href={addressOf(customerTemplate.path, { query: { lang } })}
            >
              {t(`customerImport.template.${lang}`)}
            </ToolbarLink>
          ))}
          <Link to="/admin/customers" className={toolbarButtonClass()}>
            <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
            {t('customerImport.back')}
          </Link>
        </>
      }
    >
      <div className="grid gap-6 px-4 pt-2 pb-10 md:px-6">
        <CustomerImport>
          <PastCustomerImports />
        </CustomerImport>
      </div>
    </AdminPageLayout>
  )
}

async function load({ queries }: PageRequest) {
  await Promise.all([queries.ensureQueryData(read(listVendors)), queries.ensureQueryData(importsQuery)])
}

export const page: Page = {
  Component: ImportPage,
  load,
  head: ({ t }) => ({ title: t('customerImport.title'), hidden: true }),
}
