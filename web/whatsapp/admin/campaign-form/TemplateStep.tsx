import { fit } from '@qatra/contract/lib/fit'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../lib/language/i18n.tsx'
import { CheckboxField, SelectField } from '../../../ui/admin/form/fields.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { languageName } from '../templates/TemplatePreview.tsx'
import { type Draft, keyOf } from './campaign-draft.ts'

export interface StepProps {
  draft: Draft
  template: Template | undefined
  /** The template in the other language, if the campaign goes in both. */
  second: Template | undefined
  /** A function changes what is there when an upload ends. */
  set(change: Partial<Draft> | ((now: Draft) => Partial<Draft>)): void
}

/** Of the text beside a template's name. */
const LONGEST_LABEL = 60

interface TemplateStepProps extends StepProps {
  templates: readonly Template[]
  /** The template in its other language. */
  other: Template | undefined
  /** Number of approved templates that cannot be filled in. */
  notListed: number
}

export function TemplateStep({ draft, set, templates, notListed, other, second }: TemplateStepProps) {
  const t = useT()
  if (templates.length === 0) {
    return (
      <EmptyState title={t('campaigns.noTemplate')} text={t('campaigns.noTemplate.hint')}>
        <Link to="/admin/whatsapp/templates" className={buttonClass('gulf')}>
          {t('templates.title')}
        </Link>
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-4">
      <TextField
        label={t('campaigns.name')}
        hint={t('campaigns.name.hint')}
        maxLength={255}
        value={draft.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <SelectField
        label={t('campaigns.template')}
        placeholder={t('campaigns.template.choose')}
        value={draft.template}
        options={templates.map((one) => ({
          value: keyOf(one),
          label: `${one.name} · ${languageName(t, one.language)}: ${fit(one.body.replace(/\s+/g, ' '), LONGEST_LABEL)}`,
        }))}
        // Values are kept if the other template has the same variables, as its translation does.
        onChange={(next) => set({ template: next, second: null })}
      />
      {notListed > 0 && (
        <p className="text-ink-2">
          {t('campaigns.notListed', { count: notListed })}{' '}
          <Link to="/admin/whatsapp/templates" className="text-aqua-ink hover:underline">
            {t('campaigns.notListed.why')}
          </Link>
        </p>
      )}
      {other && (
        <CheckboxField
          label={t('campaigns.bothLanguages')}
          hint={t('campaigns.bothLanguages.hint')}
          value={second !== undefined}
          onChange={(isBoth) => set({ second: isBoth ? other.language : null })}
        />
      )}
    </div>
  )
}
