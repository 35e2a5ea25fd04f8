import { isFilePart, longestValue } from '@qatra/contract/whatsapp/templates/template-values'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { useT } from '../../../lib/language/i18n.tsx'
import { CheckboxField } from '../../../ui/admin/form/fields.tsx'
import { TextField } from '../../../ui/Field.tsx'
import type { StepProps } from './TemplateStep.tsx'

export function ValuesStep({ draft, template, second, set }: StepProps) {
  const t = useT()
  if (!template) return null
  const parts = [
    { of: template, values: draft.values, fill: (values: Record<string, string>) => set({ values }) },
    ...(second
      ? [
          {
            of: second,
            values: draft.secondValues,
            fill: (secondValues: Record<string, string>) => set({ secondValues }),
          },
        ]
      : []),
  ]
  const hasGaps = parts.some(({ of }) => of.variables.length > 0)
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t(hasGaps ? 'campaigns.values.hint' : 'campaigns.values.none')}</p>
      {parts.map(({ of, values, fill }) => (
        <Values
          key={of.language}
          of={of}
          values={values}
          fill={fill}
          hasLinks={draft.hasLinks}
          isOneOfTwo={second !== undefined}
        />
      ))}
      <CheckboxField
        label={t('campaigns.links')}
        hint={t('campaigns.links.hint')}
        value={draft.hasLinks}
        onChange={(hasLinks) => set({ hasLinks })}
      />
      {draft.hasLinks && (
        <TextField
          label={t('campaigns.leadsTo')}
          hint={t('campaigns.leadsTo.hint')}
          ltr
          maxLength={2048}
          placeholder="/products"
          value={draft.leadsTo}
          onChange={({ target }) => set({ leadsTo: target.value })}
        />
      )}
    </div>
  )
}

interface ValuesProps {
  of: Template
  values: Record<string, string>
  fill(values: Record<string, string>): void
  hasLinks: boolean
  isOneOfTwo: boolean
}

function Values({ of: { language, variables }, values, fill, hasLinks, isOneOfTwo }: ValuesProps) {
  const t = useT()
  if (variables.length === 0) return null
  const title = t(language.startsWith('ar') ? 'campaigns.values.in.ar' : 'campaigns.values.in.en')
  return (
    <section aria-label={title} className="grid gap-4">
      {isOneOfTwo && <h2 className="font-strong">{title}</h2>}
      {variables.map(({ key, label, part, example }) => (
        <TextField
          key={key}
          label={t(`campaigns.value.${part}`, { label })}
          dir={isFilePart(part) || part === 'code' ? 'ltr' : 'auto'}
          maxLength={longestValue[part]}
          hint={
            isFilePart(part)
              ? t('campaigns.value.file.hint')
              : part === 'code'
                ? t('campaigns.value.code.hint')
                : part === 'button' && hasLinks
                  ? t('campaigns.value.ownLink')
                  : example && t('campaigns.value.example', { example })
          }
          value={values[key] ?? ''}
          onChange={({ target }) => fill({ ...values, [key]: target.value })}
        />
      ))}
    </section>
  )
}
