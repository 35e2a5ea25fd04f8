import type { GraphTemplate } from './graph-account.ts'
import type { SentTemplate } from './sent-message.ts'

const namesIn = (text: unknown): string[] =>
  typeof text === 'string' ? [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort() : []

/**
 * Meta's code for values that do not fit a listed template: 132000 for a wrong number or wrong names, 132012 for another
 * kind of header. Null if they fit, or if the template is not listed here.
 */
export function mismatchOf(sent: SentTemplate, listed: readonly GraphTemplate[]): number | null {
  const template = listed.find(({ name, language }) => name === sent.name && language === sent.language.code)
  if (!template || template.category === 'AUTHENTICATION') return null
  const part = (type: string) => template.components.find((one) => one['type'] === type)
  const given = (type: string) => sent.components.filter((one) => one.type === type).flatMap((one) => one.parameters)
  const wanted = namesIn(part('BODY')?.['text'])
  const body = given('body').map(({ parameter_name: name }, at) => name ?? String(at + 1))
  if (wanted.join() !== body.sort().join()) return 132_000
  const format = part('HEADER')?.['format']
  const kind = format === 'IMAGE' || format === 'DOCUMENT' ? format.toLowerCase() : 'text'
  const header = given('header')
  const needed = kind === 'text' ? namesIn(part('HEADER')?.['text']).length : 1
  return header.length === needed && header.every(({ type }) => type === kind) ? null : 132_012
}
