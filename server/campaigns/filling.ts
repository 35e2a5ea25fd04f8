import type { TemplateMessage } from '../providers/message.ts'
import { keysOf } from '../templates/queries.ts'
import { type FillableTemplate, fillTemplate } from '../templates/words.ts'

export type Values = Readonly<Record<string, string>>

export interface CampaignMessage {
  template: FillableTemplate
  globalVariables: Values | null
  hasLinks: boolean
}

/** The message in each language of the campaign. The first, Arabic if there is one, is for people of other languages. */
export type CampaignContents = readonly [CampaignMessage, ...CampaignMessage[]]

/** Which of the languages a person of this language gets. */
export const languageFor = (languages: readonly [string, ...string[]], spoken: string | null): string =>
  languages.find((one) => spoken !== null && one.startsWith(spoken)) ?? languages[0]

export function contentFor(contents: CampaignContents, spoken: string | null): CampaignMessage {
  const [first, ...others] = contents
  const of = ({ template }: CampaignMessage) => template.shown.language
  const language = languageFor([of(first), ...others.map(of)], spoken)
  return contents.find((one) => of(one) === language) ?? first
}

/** Languages of a campaign, Arabic first. */
export function languagesOf({ language, secondLanguage }: Languages): [string, ...string[]] {
  if (!secondLanguage) return [language]
  return secondLanguage.startsWith('ar') ? [secondLanguage, language] : [language, secondLanguage]
}
export interface Languages {
  language: string
  secondLanguage?: string | null | undefined
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

/** The values of a message to one person, in the order of the template's variables. */
export function valuesTo(
  content: CampaignMessage,
  person: Person,
  link: { url: string; token: string } | null,
  nameless: string,
): string[] {
  return keysOf(content.template).map((key) => {
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
  return fillTemplate(content.template, valuesTo(content, person, link, nameless))
}
