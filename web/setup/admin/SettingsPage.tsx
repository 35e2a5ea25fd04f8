import { getSettings } from '@qatra/contract/settings/settings'
import { useQuery } from '@tanstack/react-query'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { RarePages } from '../../ui/admin/RarePages.tsx'
import { CompanyForm } from './CompanyForm.tsx'
import { MessagePricesForm } from './MessagePricesForm.tsx'

function Component() {
  const t = useT()
  const { data: settings } = useQuery(read(getSettings))
  return (
    <AdminPageLayout title={t('settings.title')}>
      <div className="w-full max-w-220 px-4 pb-10 md:px-6">
        <RarePages />
        <h2 className="mt-6 text-heading">{t('setup.company')}</h2>
        <p className="mb-5 text-ink-2">{t('setup.company.text')}</p>
        {settings && <CompanyForm key={settings.version} settings={settings} submit={t('settings.save')} />}
        {settings && <MessagePricesForm key={`prices ${settings.version}`} settings={settings} />}
      </div>
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component,
  load: ({ queries }) => queries.ensureQueryData(read(getSettings)),
  head: ({ t }) => ({ title: t('settings.title'), hidden: true }),
}
