import type { TemplateMessage } from '../providers/message.ts'
import { keysOf } from '../templates/queries.ts'
import { type FillableTemplate, fillTemplate } from '../templates/words.ts'

export type Values = Readonly<Record<string, string>>

export interface Wish {
  template: FillableTemplate
  globalVariables: Values | null
  hasLinks: boolean
}

/** Where a person's link stands in a value. */
const LINK = '{link}'
const NAME = '{name}'
const BUTTON = 'button'

const valueOf = (key: string, own: Values | null, { globalVariables }: Wish): string =>
  (own?.[key] ?? globalVariables?.[key] ?? '').trim()

/** Keys of values that this person's message has no words for. */
export function missingFor(wish: Wish, own: Values | null): string[] {
  return keysOf(wish.template).filter((key) => valueOf(key, own, wish) === '' && !(wish.hasLinks && key === BUTTON))
}

/** Whether the link gets into the message at all: in the button's address, or where a value says so. */
export const hasPlaceForLink = (wish: Wish, own: Values | null): boolean =>
  keysOf(wish.template).some((key) => key === BUTTON || valueOf(key, own, wish).includes(LINK))

export interface Person {
  name: string | null
  variables: Values | null
}

/**
 * The message to one person. What the provider refuses within a value, line breaks and many spaces, becomes one space.
 * Null where something is missing.
 */
export function messageTo(
  wish: Wish,
  person: Person,
  link: { url: string; token: string } | null,
  nameless: string,
): TemplateMessage | null {
  const values = keysOf(wish.template).map((key) => {
    const value = valueOf(key, person.variables, wish)
    if (key === BUTTON && value === '' && link) return link.token
    const words = new Map([
      [NAME, person.name?.trim() || nameless],
      [LINK, link?.url ?? ''],
    ])
    // In one go: what somebody is called is never looked into for a place of its own.
    return value
      .replace(/\{(?:name|link)\}/g, (place) => words.get(place) ?? place)
      .replace(/\s+/g, ' ')
      .slice(0, 1024)
  })
  return fillTemplate(wish.template, values)
}
