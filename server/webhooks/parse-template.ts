import type { templateFields } from './fields.ts'
import { type Json, numberOf, objectOf, textOf } from './parse-json.ts'

/** A change of a template that the provider reports. */
export interface TemplateNews {
  kind: 'template'
  /** The provider's id of the template. */
  providerId: string | null
  name: string
  language: string
  field: 'status' | 'quality' | 'category' | 'next-category'
  to: string
  reason: string | null
  at: Date
}

type TemplateField = (typeof templateFields)[number]

/** Events that are not a status of the provider's list. */
const statuses: Readonly<Record<string, string>> = { REINSTATED: 'APPROVED', UNARCHIVED: 'APPROVED' }

/** Null if the template or the change is missing. */
export function templateNews(field: TemplateField, value: Json, at: Date): TemplateNews | null {
  const name = textOf(value['message_template_name'], 512)
  const language = textOf(value['message_template_language'], 20)
  const change = changeIn(field, value)
  if (name === null || language === null || change === null) return null
  const id = numberOf(value['message_template_id']) ?? textOf(value['message_template_id'], 50)
  // Webhooks write en-US where the list writes en_US.
  return {
    kind: 'template',
    providerId: id === null ? null : String(id),
    name,
    language: language.replace('-', '_'),
    ...change,
    at,
  }
}

function changeIn(field: TemplateField, value: Json): Pick<TemplateNews, 'field' | 'to' | 'reason'> | null {
  if (field === 'message_template_quality_update') {
    const score = textOf(value['new_quality_score'], 50)
    return score === null ? null : { field: 'quality', to: score.toUpperCase(), reason: null }
  }
  if (field === 'template_category_update') {
    // With a correct category, the change is announced for the coming day; otherwise it has happened.
    const next = textOf(value['correct_category'], 50)
    const to = next ?? textOf(value['new_category'], 50)
    return to === null ? null : { field: next ? 'next-category' : 'category', to: to.toUpperCase(), reason: null }
  }
  const event = textOf(value['event'], 50)?.toUpperCase()
  if (event === undefined) return null
  const reasons = [value['reason'], objectOf(value['rejection_info'])['reason'], objectOf(value['other_info'])['title']]
  const reason = reasons.map((one) => textOf(one, 300)).find((one) => one !== null && one.toUpperCase() !== 'NONE')
  return { field: 'status', to: statuses[event] ?? event, reason: reason ?? null }
}
