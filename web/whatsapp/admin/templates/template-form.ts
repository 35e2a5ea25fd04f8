import { placeholdersOf, type TemplatePart } from '@qatra/contract/whatsapp/templates/template-values'
import {
  problemsOfTemplate,
  type TemplateDraft,
  type TemplateProblem,
} from '@qatra/contract/whatsapp/templates/template-rules'
import { listTemplates, type Template, writeTemplate } from '@qatra/contract/whatsapp/templates/templates'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type CallError, detailsOf } from '../../../lib/api-client.ts'
import { type Translate, useT } from '../../../lib/language/i18n.tsx'
import { ownRefusalText } from '../../../lib/refusal.ts'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { toast } from '../../../ui/Toast.tsx'
import type { ShownTemplate } from './TemplatePreview.tsx'

/** How a gap is written, in the words that explain it. */
const EXAMPLE = '{{1}}'
const wordsOf = (t: Translate, problem: TemplateProblem) => t(`templates.rule.${problem}`, { example: EXAMPLE })

/** The rules that the server checks again, by field. */
const problemsIn = (t: Translate, draft: TemplateDraft) =>
  Object.fromEntries(
    Object.entries(problemsOfTemplate(draft)).flatMap(([field, problem]) =>
      problem ? [[field, wordsOf(t, problem)]] : [],
    ),
  )

/** Why a template was not written, edited or deleted. */
export function templateRefusal(t: Translate, error: CallError): string | null {
  const { reason } = detailsOf(error, 'META_REFUSED')
  if (error.code === 'META_REFUSED' && reason === null) return t('templates.silent')
  if (error.code === 'TEMPLATE_FIXED') {
    const { reason: why } = detailsOf(error, 'TEMPLATE_FIXED')
    const known = (['needed', 'status', 'edits', 'parts', 'campaign'] as const).find((one) => one === why)
    return t(`templates.fixed.${known ?? 'status'}`)
  }
  return ownRefusalText(t, error, 'templates', 'admin.form')
}

export const emptyTemplate = (t: Translate, language: 'ar' | 'en'): TemplateDraft => ({
  name: '',
  language,
  category: 'MARKETING',
  headerFormat: 'TEXT',
  header: '',
  headerSample: '',
  body: '',
  samples: [],
  footer: t(`templates.stop.${language}`),
  buttons: [],
})

/** Without blank edges, and with one sample for each gap. */
const trimmed = (draft: TemplateDraft): TemplateDraft => ({
  ...draft,
  name: draft.name.trim(),
  header: draft.header.trim(),
  body: draft.body.trim(),
  footer: draft.footer.trim(),
  samples: (placeholdersOf(draft.body) ?? []).map((_, at) => draft.samples[at]?.trim() ?? ''),
})

/** The form of a new template, or of one that is edited. */
export function useTemplateForm(start: TemplateDraft, save: (draft: TemplateDraft) => Promise<Template>) {
  const t = useT()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useForm({
    body: writeTemplate.body,
    start,
    fieldAt: (path) => path.join('.'),
    check: (values) => problemsIn(t, trimmed(values)),
    toBody: trimmed,
    send: save,
    onSaved: async ({ id }) => {
      toast({ title: t('templates.written') })
      await queries.invalidateQueries({ queryKey: [listTemplates.path] })
      await navigate({ to: '/admin/whatsapp/templates', search: { open: id } })
    },
    failureOf: (error) => templateRefusal(t, error),
  })
}
export type TemplateForm = ReturnType<typeof useTemplateForm>

/** What the preview shows of a draft. */
export function previewOf(t: Translate, draft: TemplateDraft): ShownTemplate {
  const { body, samples, headerFormat, header, headerSample, footer, buttons, language } = draft
  const file = ({ TEXT: null, IMAGE: 'image', DOCUMENT: 'document' } as const)[headerFormat]
  const variable = (part: TemplatePart, label: string, example: string) => ({
    key: `${part} ${label}`,
    part,
    label,
    example: example || null,
  })
  const code = buttons.find(({ type }) => type === 'COPY_CODE')
  return {
    language,
    header: header || null,
    body: body || t('templates.write.body'),
    footer: footer || null,
    buttons: buttons.map(({ type, text, value }) => ({
      type,
      text: type === 'COPY_CODE' ? t('templates.button.COPY_CODE.text') : text,
      url: value || null,
    })),
    variables: [
      ...(placeholdersOf(body) ?? []).map((name, at) => variable('body', name, samples[at] ?? '')),
      ...(file ? [variable(file, '', '')] : []),
      ...(placeholdersOf(header) ?? []).map((name) => variable('header', name, headerSample)),
      ...(code ? [variable('code', '', code.value)] : []),
    ],
  }
}
