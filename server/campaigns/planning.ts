import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/lib/text'
import type { Audience } from '@qatra/contract/whatsapp/campaigns/audience'
import type { previewCampaign as preview } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import { isFilePart } from '@qatra/contract/whatsapp/templates/template-values'
import type { Ctx } from '../database/context.ts'
import type { Db } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { searchedDigits } from '../lib/phone.ts'
import { translatorFor } from '../lib/translate.ts'
import { isHeadingStored } from '../media/queries.ts'
import { readMessagePrices } from '../site/queries.ts'
import { findSendable, keysOf } from '../templates/queries.ts'
import type { FillableTemplate } from '../templates/words.ts'
import { estimateOf } from './cost.ts'
import {
  type CampaignContents,
  type CampaignMessage,
  contentFor,
  hasPlaceForLink,
  languagesOf,
  messageTo,
  unfilledFor,
  type Values,
  valuesTo,
} from './filling.ts'
import { type Found, type LeftOut, type People, peopleOfAudience, peopleOfList } from './people.queries.ts'
import { requireRow, savedRecipients } from './queries.ts'

export interface Draft {
  templateName: string
  language: string
  secondLanguage?: string | null | undefined
  globalVariables?: Values | null | undefined
  /** Values of the second language. */
  secondVariables?: Values | null | undefined
  recipients?: readonly { phone: string; variables?: Values | undefined }[] | undefined
  audience?: Audience | null | undefined
  excludedPhones?: readonly string[] | undefined
  hasLinks?: boolean | undefined
}
export interface Plan {
  contents: CampaignContents
  /** MARKETING if it is one in any of the languages. */
  category: string
  people: People
  missing: { phone: string; keys: string[] }[]
  /** False if links are requested and a message has no place for one. */
  hasLinkPlace: boolean
}

/** @throws TEMPLATE_NOT_AVAILABLE if it is not approved in each language */
export async function contentsOf({ db }: Pick<Ctx, 'db'>, draft: Draft): Promise<CampaignContents> {
  const contentIn = async (language: string): Promise<CampaignMessage> => {
    const template = await findSendable({ db }, draft.templateName, language)
    if (!template) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'unknown' })
    const values = language === draft.language ? draft.globalVariables : draft.secondVariables
    return {
      template,
      globalVariables: await withoutPurged(db, template, values ?? null),
      hasLinks: draft.hasLinks ?? false,
    }
  }
  const [first, second] = languagesOf(draft)
  if (second?.slice(0, 2) === first.slice(0, 2)) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'language' })
  return second === undefined ? [await contentIn(first)] : [await contentIn(first), await contentIn(second)]
}

/** A file that is no longer stored is missing. */
async function withoutPurged(db: Db, { shown }: FillableTemplate, values: Values | null): Promise<Values | null> {
  const part = shown.variables.map((one) => one.part).find(isFilePart)
  const { header, ...others } = values ?? {}
  if (!part || !header || (await isHeadingStored(db, part, header))) return values
  return others
}

/** @throws TEMPLATE_NOT_AVAILABLE if it is not approved */
export async function planOf({ db }: Pick<Ctx, 'db'>, draft: Draft): Promise<Plan> {
  const contents = await contentsOf({ db }, draft)
  const hasLinks = draft.hasLinks ?? false
  const removedRecipients = new Set(draft.excludedPhones)
  const categories = contents.map(({ template }) => template.shown.category)
  const isMarketing = categories.includes('MARKETING')
  const category = isMarketing ? 'MARKETING' : contents[0].template.shown.category
  const rules = { isMarketing, hasLinks, removedRecipients }
  const people = draft.audience
    ? await peopleOfAudience(db, draft.audience, rules)
    : await peopleOfList(db, draft.recipients ?? [], rules)
  const hasLinkPlace =
    !hasLinks ||
    people.kept.every(({ language, variables }) => hasPlaceForLink(contentFor(contents, language), variables))
  const missing = people.kept.flatMap((person) => {
    const content = contentFor(contents, person.language)
    const keys = unfilledFor(content, person, namelessIn(content.template.shown.language))
    return keys.length > 0 ? [{ phone: person.phone, keys }] : []
  })
  return { contents, category, people, missing, hasLinkPlace }
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

/** Other templates answer an order or a sign-in. @throws TEMPLATE_NOT_MARKETING */
export function requireMarketing({ contents }: Pick<Plan, 'contents'>): void {
  if (contents.some(({ template }) => template.shown.category !== 'MARKETING'))
    throw new AppError('TEMPLATE_NOT_MARKETING')
}

export const namelessIn = (language: string) =>
  translatorFor(language.startsWith('ar') ? 'ar' : 'en')('news.campaign.nameless')

const SAMPLES = 3
/** Values of a link in a preview. */
const sampleLink = { url: 'https://…', token: '…' }
type Asked = Parsed<typeof preview>['body']

/** @throws CAMPAIGN_NOT_FOUND, TEMPLATE_NOT_AVAILABLE */
export async function previewCampaign(
  ctx: Ctx,
  perSecond: number,
  { campaignId, people: wanted, ...draft }: Asked,
): Promise<Output<typeof preview>> {
  const isOwn = draft.recipients === undefined && !draft.audience && campaignId !== undefined
  const recipients = isOwn ? await savedRecipients(ctx, await requireRow(ctx, campaignId)) : draft.recipients
  const { contents, category, people, missing, hasLinkPlace } = await planOf(ctx, { ...draft, recipients })
  const phones = people.kept.map(({ phone }) => phone)
  return {
    count: people.kept.length,
    exclusions: people.exclusions,
    missing: summed(missing),
    hasLinkPlace,
    samples: contents.flatMap((content) =>
      people.kept
        .filter(({ language }) => contentFor(contents, language) === content)
        .slice(0, SAMPLES)
        .flatMap((person) => sampleOf(content, person)),
    ),
    cost: estimateOf(phones, category, await readMessagePrices(ctx)),
    seconds: Math.ceil(people.kept.length / perSecond),
    people: wanted ? pageOf(people, wanted) : null,
  }
}

function sampleOf(content: CampaignMessage, person: Found) {
  const { language } = content.template.shown
  const link = content.hasLinks ? sampleLink : null
  const message = messageTo(content, person, link, namelessIn(language))
  if (!message) return []
  const values = valuesTo(content, person, link, namelessIn(language))
  const byKey = Object.fromEntries(keysOf(content.template).map((key, at) => [key, values[at] ?? '']))
  return [{ phone: person.phone, name: person.name, language, values: byKey, text: message.text }]
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
