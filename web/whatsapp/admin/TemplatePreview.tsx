import type { Template } from '@qatra/contract/whatsapp-templates'
import { type Translate, useT } from '../../app/i18n.tsx'

export const languageName = (t: Translate, language: string) =>
  language.startsWith('ar') ? t('templates.language.ar') : t('templates.language.en')

/** Text with these values; an empty variable shows its example, else remains as {{1}}. */
function filled(text: string, part: 'body' | 'header', { variables }: Template, values: Record<string, string>) {
  const own = variables.filter((one) => one.part === part)
  return text.replace(/\{\{\s*(\d+)\s*\}\}/g, (whole, number: string) => {
    const gap = own[Number(number) - 1]
    if (!gap) return whole
    const example = gap.example ?? '…'
    const value = values[gap.key]?.trim().replaceAll('{name}', example).replaceAll('{link}', 'https://…')
    return value || gap.example || whole
  })
}

/** The template as on the customer's phone, in the direction of its language. */
export function TemplatePreview({ template, values = {} }: { template: Template; values?: Record<string, string> }) {
  const t = useT()
  const isArabic = template.language.startsWith('ar')
  return (
    <figure className="rounded-m bg-well p-3.5" dir={isArabic ? 'rtl' : 'ltr'} lang={isArabic ? 'ar' : 'en'}>
      <figcaption className="sr-only">{t('templates.preview')}</figcaption>
      <div className="rounded-[14px] rounded-ss-[4px] bg-surface px-3.5 py-2.5">
        {template.header && <p className="mb-1 font-strong">{filled(template.header, 'header', template, values)}</p>}
        <p className="whitespace-pre-wrap wrap-break-word">{filled(template.body, 'body', template, values)}</p>
        {template.footer && <p className="mt-1.5 text-caption text-ink-3">{template.footer}</p>}
      </div>
      {template.buttons.map(({ text }) => (
        <p key={text} className="mt-1 rounded-[10px] bg-surface py-2 text-center font-strong text-aqua-ink">
          {text}
        </p>
      ))}
    </figure>
  )
}
