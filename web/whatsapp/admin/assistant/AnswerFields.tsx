import { type Lang, langs } from '@qatra/contract/lib/lang'
import { type BotFact, fillFacts, LONGEST_ANSWER } from '@qatra/contract/whatsapp/bot'
import type { ComponentProps } from 'react'
import { useState } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { TextArea } from '../../../ui/Field.tsx'
import { missingIn, valuesOf } from './answer-facts.ts'

interface AnswerFieldsProps {
  values: Record<Lang, string>
  facts: readonly BotFact[]
  /** Props of the field of one language. */
  field(lang: Lang): Partial<ComponentProps<typeof TextArea>>
  onChange(values: Partial<Record<Lang, string>>): void
}

/** An answer in both languages, each with the words as they are sent now, and the facts that can be added. */
export function AnswerFields({ values, facts, field, onChange }: AnswerFieldsProps) {
  const { t, lang } = useLanguage()
  const [last, setLast] = useState<Lang>(lang)
  return (
    <>
      {langs.map((each) => (
        <div key={each} className="grid gap-1.5">
          <TextArea
            {...field(each)}
            label={t(`assistant.answer.${each}`)}
            dir={each === 'ar' ? 'rtl' : 'ltr'}
            lang={each}
            rows={3}
            maxLength={LONGEST_ANSWER}
            onFocus={() => setLast(each)}
          />
          <Preview text={values[each]} facts={facts} lang={each} />
        </div>
      ))}
      <fieldset className="grid min-w-0 gap-2">
        <legend className="mb-2 text-caption text-ink-2">{t('assistant.answer.facts')}</legend>
        <div className="flex flex-wrap gap-2">
          {facts.map((fact) => (
            <ToolbarButton
              key={fact.name}
              aria-label={t('assistant.answer.add', {
                fact: t(`assistant.fact.${fact.name}`),
                value: fact[last] ?? t('assistant.fact.none'),
              })}
              title={fact[last] ?? t('assistant.fact.none')}
              onClick={() => onChange({ [last]: `${values[last].trimEnd()} {${fact.name}}`.trimStart() })}
            >
              {t(`assistant.fact.${fact.name}`)}
            </ToolbarButton>
          ))}
        </div>
      </fieldset>
    </>
  )
}

/** Only where facts are filled in, since other texts are sent as written. */
function Preview({ text, facts, lang }: { text: string; facts: readonly BotFact[]; lang: Lang }) {
  const { t } = useLanguage()
  const values = valuesOf(facts, lang)
  const missing = missingIn(text, values)
  const filled = fillFacts(text, values)
  if (missing.length > 0)
    return <p className="text-caption text-clay">{t('assistant.answer.noValue', { names: missing.join(' ') })}</p>
  if (filled === null || filled === text) return null
  return (
    <div className="rounded-m bg-well px-3.5 py-2">
      <p className="text-caption text-ink-3">{t('assistant.answer.preview')}</p>
      <p dir={lang === 'ar' ? 'rtl' : 'ltr'} lang={lang} className="whitespace-pre-line wrap-anywhere">
        {filled}
      </p>
    </div>
  )
}
