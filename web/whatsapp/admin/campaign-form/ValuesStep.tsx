import { isFilePart, longestValue } from '@qatra/contract/whatsapp/templates/template-values'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { useT } from '../../../lib/language/i18n.tsx'
import { CheckboxField } from '../../../ui/admin/form/fields.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { HeadingField } from '../templates/HeaderFile.tsx'
import type { StepProps } from './TemplateStep.tsx'

export function ValuesStep({ draft, template, second, set }: StepProps) {
  const t = useT()
  if (!template) return null
  const first = { of: template, field: 'values' } as const
  const parts = second ? [first, { of: second, field: 'secondValues' } as const] : [first]
  const hasGaps = parts.some(({ of }) => of.variables.length > 0)
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t(hasGaps ? 'campaigns.values.hint' : 'campaigns.values.none')}</p>
      {parts.map(({ of, field }) => (
        <Values
          key={of.language}
          of={of}
          values={draft[field]}
          fill={(key, value) =>
            set((now) => (now.template === draft.template ? { [field]: { ...now[field], [key]: value } } : {}))
          }
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
  fill(key: string, value: string): void
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
      {variables.map(({ key, label, part, example }) => {
        const field = { label: t(`campaigns.value.${part}`, { label }), value: values[key] ?? '' }
        if (isFilePart(part))
          return <HeadingField key={key} {...field} part={part} onChange={(url) => fill(key, url)} />
        return (
          <TextField
            key={key}
            {...field}
            dir={part === 'code' ? 'ltr' : 'auto'}
            maxLength={longestValue[part]}
            hint={
              part === 'code'
                ? t('campaigns.value.code.hint')
                : part === 'button' && hasLinks
                  ? t('campaigns.value.ownLink')
                  : example && t('campaigns.value.example', { example })
            }
            onChange={({ target }) => fill(key, target.value)}
          />
        )
      })}
    </section>
  )
}
