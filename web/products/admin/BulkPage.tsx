import { bulkTemplate } from '@qatra/contract/products/bulk'
import type { Page } from '../../app/page.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { ToolbarLink } from '../../ui/admin/ToolbarButton.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { BackLink } from './BackLink.tsx'
import { ProductImport } from './ProductImport.tsx'

function BulkPage() {
  const t = useT()
  return (
    <AdminPageLayout
      title={t('adminProducts.bulk.title')}
      actions={
        <>
          <ToolbarLink icon={DownloadIcon} href={bulkTemplate.path} download="products.csv">
            {t('adminProducts.bulk.template')}
          </ToolbarLink>
          <BackLink />
        </>
      }
    >
      <div className="px-4 pt-2 pb-10 md:px-6">
        <ProductImport />
      </div>
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: BulkPage,
  head: ({ t }) => ({ title: t('adminProducts.bulk.title'), hidden: true }),
}
