import type { Lang } from '@qatra/contract/lang'
import type { ReplyTemplate } from '@qatra/contract/whatsapp-desk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templatesQuery } from './inbox-cache.ts'

export const keyOf = ({ name, language }: ReplyTemplate) => `${name} ${language}`

/** Text with the values so far; an empty variable remains as {{1}}. */
export function preview(template: ReplyTemplate, values: readonly string[]): string {
  const of = (part: 'body' | 'header') =>
    template.variables.flatMap((variable, at) => (variable.part === part ? [values[at] ?? ''] : []))
  const put = (text: string, filled: readonly string[]) =>
    text.replace(/\{\{\s*(\d+)\s*\}\}/g, (whole, number: string) => filled[Number(number) - 1]?.trim() || whole)
  return [template.header && put(template.header, of('header')), put(template.body, of('body')), template.footer]
    .filter(Boolean)
    .join('\n\n')
}

/** The chosen template and its values; templates in the customer's language come first. */
export function useTemplateChoice({ language, hasOffers }: { language: Lang; hasOffers: boolean }) {
  const query = useQuery(templatesQuery())
  const [chosen, setChosen] = useState<string | null>(null)
  const [values, setValues] = useState<string[]>([])
  const [isAsked, setAsked] = useState(false)
  const all = (query.data ?? [])
    .filter(({ category }) => hasOffers || category !== 'MARKETING')
    .sort((a, b) => Number(b.language.startsWith(language)) - Number(a.language.startsWith(language)))
  const template = all.find((one) => keyOf(one) === chosen) ?? all[0]
  return {
    query,
    all,
    template,
    values,
    missing: (at: number) => isAsked && (values[at] ?? '').trim() === '',
    choose(next: string) {
      setChosen(next)
      setValues([])
      setAsked(false)
    },
    fill: (at: number, value: string) =>
      setValues((before) => (template?.variables ?? []).map((_, n) => (n === at ? value : (before[n] ?? '')))),
    /** Null if a variable is empty; from then on the error is shown. */
    filled() {
      if (!template) return null
      const variables = template.variables.map((_, at) => (values[at] ?? '').trim())
      setAsked(true)
      if (variables.includes('')) return null
      const { name, language: of } = template
      return { choice: { name, language: of, variables }, text: preview(template, variables) }
    },
  }
}
export type TemplateChoice = ReturnType<typeof useTemplateChoice>
