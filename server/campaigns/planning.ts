import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/text'
import type { Audience, previewCampaign as preview } from '@qatra/contract/whatsapp-campaigns'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { searchedDigits } from '../lib/phone.ts'
import { translatorFor } from '../lib/translate.ts'
import { findSendable } from '../templates/queries.ts'
import { type CampaignMessage, hasPlaceForLink, messageTo, missingFor, type Values } from './filling.ts'
import { type Found, type LeftOut, type People, peopleOfAudience, peopleOfList } from './people.queries.ts'
import { requireRow, savedRecipients } from './queries.ts'

export interface Draft {
  templateName: string
  language: string
  globalVariables?: Values | null | undefined
  recipients?: readonly { phone: string; variables?: Values | undefined }[] | undefined
  audience?: Audience | null | undefined
  excludedPhones?: readonly string[] | undefined
  hasLinks?: boolean | undefined
}
export interface Plan {
  content: CampaignMessage
  people: People
  missing: { phone: string; keys: string[] }[]
  /** False if links are requested and a message has no place for one. */
  hasLinkPlace: boolean
}

/** @throws TEMPLATE_NOT_AVAILABLE if it is not approved */
export async function planOf({ db }: Pick<Ctx, 'db'>, draft: Draft): Promise<Plan> {
  const template = await findSendable({ db }, draft.templateName, draft.language)
  if (!template) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'unknown' })
  const hasLinks = draft.hasLinks ?? false
  const content: CampaignMessage = { template, globalVariables: draft.globalVariables ?? null, hasLinks }
  const takenOut = new Set(draft.excludedPhones)
  const rules = { isMarketing: template.shown.category === 'MARKETING', hasLinks, takenOut }
  const people = draft.audience
    ? await peopleOfAudience(db, draft.audience, rules)
    : await peopleOfList(db, draft.recipients ?? [], rules)
  const hasLinkPlace = !hasLinks || people.kept.every(({ variables }) => hasPlaceForLink(content, variables))
  const missing = people.kept.flatMap(({ phone, variables }) => {
    const keys = missingFor(content, variables)
    return keys.length > 0 ? [{ phone, keys }] : []
  })
  return { content, people, missing, hasLinkPlace }
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

/** @throws CAMPAIGN_VARIABLES_MISSING with their keys and people */
export function refuseMissing(missing: Plan['missing']): void {
  const variables = summed(missing.filter(({ keys }) => keys.length > 0))
  if (variables.length > 0) throw new AppError('CAMPAIGN_VARIABLES_MISSING', { variables })
}

/** @throws TEMPLATE_NOT_AVAILABLE if it has no place for the requested links, CAMPAIGN_VARIABLES_MISSING */
export function checked(plan: Plan): Plan {
  if (!plan.hasLinkPlace) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'link' })
  refuseMissing(plan.missing)
  return plan
}

export const namelessIn = (language: string) =>
  translatorFor(language.startsWith('ar') ? 'ar' : 'en')('news.campaign.nameless')

const SAMPLES = 3
type Asked = Parsed<typeof preview>['body']

/** @throws CAMPAIGN_NOT_FOUND, TEMPLATE_NOT_AVAILABLE */
export async function previewCampaign(
  ctx: Ctx,
  perSecond: number,
  { campaignId, people: wanted, ...draft }: Asked,
): Promise<Output<typeof preview>> {
  const isOwn = draft.recipients === undefined && !draft.audience && campaignId !== undefined
  const recipients = isOwn ? await savedRecipients(ctx, await requireRow(ctx, campaignId)) : draft.recipients
  const { content, people, missing, hasLinkPlace } = await planOf(ctx, { ...draft, recipients })
  const sample = { url: 'https://…', token: '…' }
  return {
    count: people.kept.length,
    exclusions: people.exclusions,
    missing: summed(missing),
    hasLinkPlace,
    samples: people.kept.slice(0, SAMPLES).flatMap((person) => {
      const message = messageTo(content, person, content.hasLinks ? sample : null, namelessIn(draft.language))
      return message ? [{ phone: person.phone, name: person.name, text: message.text }] : []
    }),
    seconds: Math.ceil(people.kept.length / perSecond),
    people: wanted ? pageOf(people, wanted) : null,
  }
}

function pageOf({ kept, excluded }: People, { view, search = '', page, limit }: NonNullable<Asked['people']>) {
  const sought = fold(search)
  const digits = searchedDigits(search)
  const isSought = ({ phone, name }: Found | LeftOut) =>
    sought === '' || fold(name ?? '').includes(sought) || (digits !== '' && phone.includes(digits))
  const found = (view === 'kept' ? kept : excluded).filter(isSought)
  const items = found.slice((page - 1) * limit, page * limit).map((one) => ({
    phone: one.phone,
    name: one.name,
    lastOrderAt: one.lastOrderAt?.toISOString() ?? null,
    reason: 'reason' in one ? one.reason : null,
  }))
  return { items, page, limit, total: found.length }
}
