import { editTemplate, listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { TemplateForm } from './TemplateForm.tsx'

function EditTemplatePage() {
  const t = useT()
  const { id = '' } = useParams({ strict: false })
  const { data } = useQuery(read(listTemplates))
  // What was opened stays in the form while the list is read again.
  const opened = useRef(data?.find((one) => String(one.id) === id))
  opened.current ??= data?.find((one) => String(one.id) === id)
  const template = opened.current
  if (!data) return <AdminPageLayout title={t('templates.edit')}>{null}</AdminPageLayout>
  if (!template?.draft || template.fixed.edit !== null) {
    const text = template
      ? t(`templates.fixed.${template.fixed.edit ?? 'parts'}`)
      : t('templates.error.TEMPLATE_NOT_FOUND')
    return (
      <AdminPageLayout title={t('templates.edit')}>
        <div className="grid flex-1 place-items-center px-6 py-12">
          <EmptyState title={t('templates.notEdited')} text={text}>
            <Link to="/admin/whatsapp/templates" className={buttonClass('gulf')}>
              {t('templates.title')}
            </Link>
          </EmptyState>
        </div>
      </AdminPageLayout>
    )
  }
  return (
    <TemplateForm
      title={t('templates.edit')}
      start={template.draft}
      edited={template}
      save={(body) => call(editTemplate, { params: { id }, body })}
    />
  )
}

export const page: Page = {
  Component: EditTemplatePage,
  load: ({ queries }) => queries.fetchQuery(read(listTemplates)),
  head: ({ t }) => ({ title: t('templates.edit'), hidden: true }),
}
