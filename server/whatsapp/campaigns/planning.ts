import type { Output } from '@qatra/contract/endpoint'
import type { Audience, previewCampaign as preview } from '@qatra/contract/whatsapp-campaigns'
import type { Ctx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { wordsIn } from '../../platform/words.ts'
import { findSendable } from '../templates/queries.ts'
import { hasPlaceForLink, messageTo, missingFor, type Values, type Wish } from './filling.ts'
import { type People, peopleOfAudience, peopleOfList } from './people.queries.ts'

/** The provider takes so many a second. */
export const PER_SECOND = 80

export interface Draft {
  templateName: string
  language: string
  globalVariables?: Values | null | undefined
  recipients?: readonly { phone: string; variables?: Values | undefined }[] | undefined
  audience?: Audience | null | undefined
  hasLinks?: boolean | undefined
}
export interface Plan {
  wish: Wish
  people: People
  missing: { phone: string; keys: string[] }[]
}

/** @throws TEMPLATE_NOT_AVAILABLE where it is not approved, or has no place for the links that were asked for */
export async function planOf({ db }: Pick<Ctx, 'db'>, draft: Draft): Promise<Plan> {
  const template = await findSendable({ db }, draft.templateName, draft.language)
  if (!template) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'unknown' })
  const hasLinks = draft.hasLinks ?? false
  const wish: Wish = { template, globalVariables: draft.globalVariables ?? null, hasLinks }
  const rules = { isMarketing: template.shown.category === 'MARKETING', hasLinks }
  const people = draft.audience
    ? await peopleOfAudience(db, draft.audience, rules)
    : await peopleOfList(db, draft.recipients ?? [], rules)
  if (hasLinks && people.kept.some(({ variables }) => !hasPlaceForLink(wish, variables))) {
    throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'link' })
  }
  const missing = people.kept.flatMap(({ phone, variables }) => {
    const keys = missingFor(wish, variables)
    return keys.length > 0 ? [{ phone, keys }] : []
  })
  return { wish, people, missing }
}

const NAMED = 5

function summed(missing: Plan['missing']) {
  const byKey = Map.groupBy(
    missing.flatMap(({ phone, keys }) => keys.map((key) => ({ key, phone }))),
    ({ key }) => key,
  )
  return [...byKey].map(([variable, all]) => ({
    variable,
    count: all.length,
    phones: all.slice(0, NAMED).map(({ phone }) => phone),
  }))
}

/** @throws CAMPAIGN_VARIABLES_MISSING naming which, and whose */
export function refuseMissing(missing: Plan['missing']): void {
  const variables = summed(missing.filter(({ keys }) => keys.length > 0))
  if (variables.length > 0) throw new AppError('CAMPAIGN_VARIABLES_MISSING', { variables })
}

export function checked(plan: Plan): Plan {
  refuseMissing(plan.missing)
  return plan
}

export const namelessIn = (language: string) =>
  wordsIn(language.startsWith('ar') ? 'ar' : 'en')('news.campaign.nameless')

const SHOWN = 50
const SAMPLES = 3

export async function previewCampaign(ctx: Ctx, draft: Draft): Promise<Output<typeof preview>> {
  const { wish, people, missing } = await planOf(ctx, draft)
  const sample = { url: 'https://…', token: '…' }
  return {
    count: people.kept.length,
    exclusions: people.exclusions,
    excluded: people.excluded.slice(0, SHOWN),
    missing: summed(missing),
    samples: people.kept.slice(0, SAMPLES).flatMap((person) => {
      const message = messageTo(wish, person, wish.hasLinks ? sample : null, namelessIn(draft.language))
      return message ? [{ phone: person.phone, name: person.name, text: message.text }] : []
    }),
    seconds: Math.ceil(people.kept.length / PER_SECOND),
  }
}
