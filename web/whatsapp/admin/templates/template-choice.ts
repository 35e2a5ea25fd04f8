import type { Lang } from '@qatra/contract/lib/lang'
import { hasValidValues, problemOfValue, withValues } from '@qatra/contract/whatsapp/templates/template-values'
import type { ReplyTemplate } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templatesQuery } from '../inbox/inbox-cache.ts'

export const keyOf = ({ name, language }: ReplyTemplate) => `${name} ${language}`

/** Text with the values so far; an empty variable remains as {{1}}. */
export function preview(template: ReplyTemplate, values: readonly string[]): string {
  const put = (text: string, wanted: 'body' | 'header') =>
    withValues(text, (name) => {
      const at = template.variables.findIndex(({ part, label }) => part === wanted && label === name)
      return values[at]?.trim() || undefined
    })
  const codes = template.variables.flatMap(({ part, label }, at) =>
    part === 'code' ? [`${label}: ${values[at]?.trim() || '…'}`] : [],
  )
  return [template.header && put(template.header, 'header'), put(template.body, 'body'), template.footer, ...codes]
    .filter(Boolean)
    .join('\n\n')
}

/** The chosen template and its values; templates in the customer's language come first. */
export function useTemplateChoice({ language, hasOffers }: { language: Lang; hasOffers: boolean }) {
  const query = useQuery(templatesQuery())
  const [chosen, setChosen] = useState<string | null>(null)
  /** By template: an upload that ends later fills the one that it was chosen for. */
  const [given, setGiven] = useState<Readonly<Record<string, readonly string[]>>>({})
  const [isAsked, setAsked] = useState(false)
  const all = (query.data ?? [])
    .filter(({ category }) => hasOffers || category !== 'MARKETING')
    .sort((a, b) => Number(b.language.startsWith(language)) - Number(a.language.startsWith(language)))
  const template = all.find((one) => keyOf(one) === chosen) ?? all[0]
  const key = template ? keyOf(template) : ''
  const values = given[key] ?? []
  return {
    query,
    all,
    template,
    values,
    /** Shown once the person tried to send. */
    problem: (at: number) =>
      isAsked ? problemOfValue(template?.variables[at]?.part ?? 'body', values[at] ?? '') : null,
    choose(next: string) {
      setChosen(next)
      setAsked(false)
    },
    fill: (at: number, value: string) =>
      setGiven((before) => ({
        ...before,
        [key]: (template?.variables ?? []).map((_, n) => (n === at ? value : (before[key]?.[n] ?? ''))),
      })),
    /** Null if a value is missing or invalid; from then on the error is shown. */
    filled() {
      if (!template) return null
      const variables = template.variables.map((_, at) => (values[at] ?? '').trim())
      setAsked(true)
      if (!hasValidValues(template.variables, variables)) return null
      const { name, language: of } = template
      return { choice: { name, language: of, variables }, text: preview(template, variables) }
    },
  }
}
export type TemplateChoice = ReturnType<typeof useTemplateChoice>
