import { editTemplate, listTemplates, writeTemplate } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { TemplateForm } from './TemplateForm.tsx'
import { emptyTemplate } from './template-form.ts'

function TemplatePage() {
  const { id } = useParams({ strict: false })
  return id === undefined ? <NewTemplate /> : <EditedTemplate id={id} />
}

function NewTemplate() {
  const { t, lang } = useLanguage()
  const [start] = useState(() => emptyTemplate(t, lang))
  return <TemplateForm title={t('templates.new')} start={start} save={(body) => call(writeTemplate, { body })} />
}

function EditedTemplate({ id }: { id: string }) {
  const t = useT()
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
  Component: TemplatePage,
  async load({ queries, params: { id } }) {
    if (id) await queries.fetchQuery(read(listTemplates))
  },
  head: ({ t, params: { id } }) => ({ title: t(id ? 'templates.edit' : 'templates.new'), hidden: true }),
}
