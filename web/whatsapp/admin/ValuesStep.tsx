import { useT } from '../../app/i18n.tsx'
import { CheckboxField } from '../../ui/admin/fields.tsx'
import { TextField } from '../../ui/Field.tsx'
import type { StepProps } from './TemplateStep.tsx'

export function ValuesStep({ draft, template, set }: StepProps) {
  const t = useT()
  if (!template) return null
  const { variables } = template
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t(variables.length === 0 ? 'campaigns.values.none' : 'campaigns.values.hint')}</p>
      {variables.map(({ key, label, part, example }) => (
        <TextField
          key={key}
          label={t(`campaigns.value.${part}`, { label })}
          dir="auto"
          maxLength={1024}
          hint={
            part === 'button' && draft.hasLinks
              ? t('campaigns.value.ownLink')
              : example && t('campaigns.value.example', { example })
          }
          value={draft.values[key] ?? ''}
          onChange={({ target }) => set({ values: { ...draft.values, [key]: target.value } })}
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
