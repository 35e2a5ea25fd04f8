import { writeTemplate } from '@qatra/contract/whatsapp/templates/templates'
import { useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { call } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { TemplateForm } from './TemplateForm.tsx'
import { emptyTemplate } from './template-form.ts'

function NewTemplatePage() {
  const { t, lang } = useLanguage()
  const [start] = useState(() => emptyTemplate(t, lang))
  return <TemplateForm title={t('templates.new')} start={start} save={(body) => call(writeTemplate, { body })} />
}

export const page: Page = {
  Component: NewTemplatePage,
  head: ({ t }) => ({ title: t('templates.new'), hidden: true }),
}
