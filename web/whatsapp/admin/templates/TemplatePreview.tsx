import { isFilePart, withValues } from '@qatra/contract/whatsapp/templates/template-values'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { type Translate, useT } from '../../../lib/language/i18n.tsx'
import { HeaderFile } from './HeaderFile.tsx'

export const languageName = (t: Translate, language: string) =>
  language.startsWith('ar') ? t('templates.language.ar') : t('templates.language.en')

/** The parts of a template that a customer sees. */
export type ShownTemplate = Pick<Template, 'language' | 'header' | 'body' | 'footer' | 'buttons' | 'variables'>

type Values = Readonly<Record<string, string>>

/** Value of a variable as in a message; without one its example. */
function shownValue({ key, example }: Template['variables'][number], values: Values): string | null {
  const name = example ?? '…'
  return values[key]?.trim().replaceAll('{name}', name).replaceAll('{link}', 'https://…') || example
}

/** Text with these values; a variable without value and example remains as {{1}}. */
const filled = (text: string, part: 'body' | 'header', { variables }: ShownTemplate, values: Values) =>
  withValues(text, (name) => {
    const gap = variables.find((one) => one.part === part && one.label === name)
    return (gap && shownValue(gap, values)) ?? undefined
  })

interface TemplatePreviewProps {
  template: ShownTemplate
  values?: Values
  /** Of a heading's file that was just chosen; otherwise its value is an address. */
  fileName?: string | undefined
}

/** The template as on the customer's phone, in the direction of its language. */
export function TemplatePreview({ template, values = {}, fileName }: TemplatePreviewProps) {
  const t = useT()
  const isArabic = template.language.startsWith('ar')
  const file = template.variables.find(({ part }) => isFilePart(part))
  const code = template.variables.find(({ part }) => part === 'code')
  const codeText = code && shownValue(code, values)
  return (
    <figure className="rounded-m bg-well p-3.5" dir={isArabic ? 'rtl' : 'ltr'} lang={isArabic ? 'ar' : 'en'}>
      <figcaption className="sr-only">{t('templates.preview')}</figcaption>
      <div className="rounded-[14px] rounded-ss-[4px] bg-surface px-3.5 py-2.5">
        {file && <HeaderFile part={file.part} address={values[file.key] ?? ''} name={fileName} />}
        {template.header && <p className="mb-1 font-strong">{filled(template.header, 'header', template, values)}</p>}
        <p className="whitespace-pre-wrap wrap-break-word">{filled(template.body, 'body', template, values)}</p>
        {template.footer && <p className="mt-1.5 text-caption text-ink-3">{template.footer}</p>}
      </div>
      {template.buttons.map(({ type, text }) => (
        <p key={text} className="mt-1 rounded-[10px] bg-surface py-2 text-center font-strong text-aqua-ink">
          {type === 'COPY_CODE' && codeText ? t('templates.codeButton', { label: text, code: codeText }) : text}
        </p>
      ))}
    </figure>
  )
}
