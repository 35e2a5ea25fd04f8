import { fit } from '@qatra/contract/lib/fit'
import {
  longestValue,
  problemOfValue,
  type TemplatePart,
  withValues,
} from '@qatra/contract/whatsapp/templates/template-values'
import type { TemplateMessage } from '../providers/message.ts'
import { keysOf } from '../templates/queries.ts'
import { type FillableTemplate, fillTemplate, isTooLong } from '../templates/words.ts'

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

interface Place {
  key: string
  part: TemplatePart
  /** From 0. */
  at: number
}

const placesOf = ({ template }: CampaignMessage): Place[] => {
  const { variables } = template.shown
  return keysOf(template).map((key, at) => ({ key, at, part: variables[at]?.part ?? 'body' }))
}

/** The values of a list without headings are counted from 1, also if the template names its variables. */
const valueOf = ({ key, part, at }: Place, own: Values | null, { globalVariables }: CampaignMessage): string => {
  const counted = part === 'body' ? own?.[String(at + 1)] : undefined
  return (own?.[key] ?? counted ?? globalVariables?.[key] ?? '').trim()
}

/** Not shorter than a real link. */
const longLink = { url: `https://${'-'.repeat(120)}`, token: '-'.repeat(60) }

/** Keys of values of a person's message that are missing or that the provider would refuse. */
export function missingFor(content: CampaignMessage, own: Values | null): string[] {
  return placesOf(content)
    .filter((place) => {
      const value = valueOf(place, own, content)
      if (content.hasLinks && place.key === BUTTON && value === '') return false
      return problemOfValue(place.part, value) !== null
    })
    .map(({ key }) => key)
}

/** Keys of `missingFor`; the key of the longest value if the text is too long with all of them. */
export function unfilledFor(content: CampaignMessage, person: Person, nameless: string): string[] {
  const missing = missingFor(content, person.variables)
  const values = valuesTo(content, person, content.hasLinks ? longLink : null, nameless)
  if (missing.length > 0 || !isTooLong(content.template, values)) return missing
  const places = placesOf(content)
  const lengthOf = ({ part, at }: Place) => (part === 'body' ? (values[at] ?? '').length : 0)
  const [longest] = places.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return longest ? [longest.key] : []
}

/** Whether the message has a place for the link: the button's address or a value. */
export const hasPlaceForLink = (content: CampaignMessage, own: Values | null): boolean =>
  placesOf(content).some((place) => place.key === BUTTON || valueOf(place, own, content).includes(LINK))

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
  const { header } = content.template.shown
  const fixed = header === null ? 0 : withValues(header, () => '').length
  return placesOf(content).map((place) => {
    const { key, part } = place
    const most = longestValue[part] - (part === 'header' ? fixed : 0)
    const value = valueOf(place, person.variables, content)
    if (key === BUTTON && value === '' && link) return link.token
    const words = new Map([
      [NAME, person.name?.trim() || nameless],
      [LINK, link?.url ?? ''],
    ])
    // Single pass: inserted names are not scanned for placeholders.
    const filled = value.replace(/\{(?:name|link)\}/g, (place) => words.get(place) ?? place).replace(/\s+/g, ' ')
    // A long name is cut in a header; a body that is too long is refused before the campaign starts.
    return part === 'header' ? fit(filled, most) : filled
  })
}

/**
 * The message to one person. Replaces line breaks and repeated spaces within values, which the provider rejects, by one
 * space. Null if a value is missing or the text is too long.
 */
export function messageTo(
  content: CampaignMessage,
  person: Person,
  link: { url: string; token: string } | null,
  nameless: string,
): TemplateMessage | null {
  return fillTemplate(content.template, valuesTo(content, person, link, nameless))
}
