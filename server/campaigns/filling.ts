import type { TemplateMessage } from '../providers/message.ts'
import { keysOf } from '../templates/queries.ts'
import { type FillableTemplate, fillTemplate } from '../templates/words.ts'

export type Values = Readonly<Record<string, string>>

export interface CampaignMessage {
  template: FillableTemplate
  globalVariables: Values | null
  hasLinks: boolean
}

/** Placeholder of a person's link in a value. */
const LINK = '{link}'
const NAME = '{name}'
const BUTTON = 'button'

const valueOf = (key: string, own: Values | null, { globalVariables }: CampaignMessage): string =>
  (own?.[key] ?? globalVariables?.[key] ?? '').trim()

/** Keys of missing values of a person's message. */
export function missingFor(content: CampaignMessage, own: Values | null): string[] {
  return keysOf(content.template).filter(
    (key) => valueOf(key, own, content) === '' && !(content.hasLinks && key === BUTTON),
  )
}

/** Whether the message has a place for the link: the button's address or a value. */
export const hasPlaceForLink = (content: CampaignMessage, own: Values | null): boolean =>
  keysOf(content.template).some((key) => key === BUTTON || valueOf(key, own, content).includes(LINK))

export interface Person {
  name: string | null
  variables: Values | null
}

/**
 * The message to one person. Replaces line breaks and repeated spaces within values, which the provider rejects, by one
 * space. Null if a value is missing.
 */
export function messageTo(
  content: CampaignMessage,
  person: Person,
  link: { url: string; token: string } | null,
  nameless: string,
): TemplateMessage | null {
  const values = keysOf(content.template).map((key) => {
    const value = valueOf(key, person.variables, content)
    if (key === BUTTON && value === '' && link) return link.token
    const words = new Map([
      [NAME, person.name?.trim() || nameless],
      [LINK, link?.url ?? ''],
    ])
    // Single pass: inserted names are not scanned for placeholders.
    return value
      .replace(/\{(?:name|link)\}/g, (place) => words.get(place) ?? place)
      .replace(/\s+/g, ' ')
      .slice(0, 1024)
  })
  return fillTemplate(content.template, values)
}
