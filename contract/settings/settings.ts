import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { feeBhd } from '../lib/money.ts'
import { phoneInput } from '../lib/phone.ts'
import { freeText, lineText } from '../lib/text.ts'
import { parseUrl } from '../lib/url.ts'
import { vatNumberInput } from '../lib/vat.ts'
import { companyFacts } from './site.ts'

// @__NO_SIDE_EFFECTS__
const fact = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const httpsLink = /* @__PURE__ */ lineText(300).check(
  z.refine((text) => /^https:\/\/[^\s"'<>\\@]+$/.test(text) && parseUrl(text) !== null, 'validation.imageUrl'),
)
const email = /* @__PURE__ */ lineText(200).check(
  z.refine((text) => /^[^\s@<>"']+@[^\s@<>"']+\.[^\s@.<>"']{2,}$/.test(text), 'validation.email'),
)

const facts = {
  company: z.object({
    name: fact(lineText(200)),
    nameAr: fact(lineText(200)),
    address: fact(freeText(500)),
    addressAr: fact(freeText(500)),
    crNumber: fact(lineText(30)),
    vatNumber: fact(vatNumberInput),
  }),
  support: z.object({
    phone: fact(phoneInput),
    whatsapp: fact(phoneInput),
    email: fact(email),
    hours: fact(lineText(100)),
    hoursAr: fact(lineText(100)),
  }),
  social: z.object({ instagram: fact(httpsLink), x: fact(httpsLink), tiktok: fact(httpsLink) }),
  apps: z.object({ ios: fact(httpsLink), android: fact(httpsLink) }),
}

/** Countries with a price of their own, by calling code; `other` is for the rest. */
export const priceCountryNames = ['BH', 'SA', 'AE', 'KW', 'QA', 'OM', 'other'] as const
export type PriceCountry = (typeof priceCountryNames)[number]
const callingCodes: Readonly<Record<string, PriceCountry>> = {
  973: 'BH',
  966: 'SA',
  971: 'AE',
  965: 'KW',
  974: 'QA',
  968: 'OM',
}
export const priceCountryOf = (phone: string): PriceCountry => callingCodes[phone.slice(1, 4)] ?? 'other'

export const priceCategories = ['marketing', 'utility', 'authentication'] as const
export type PriceCategory = (typeof priceCategories)[number]

/** BHD for 1000 WhatsApp messages, by country and category. */
const messagePrices = /* @__PURE__ */ z.partialRecord(
  z.enum(priceCountryNames),
  /* @__PURE__ */ z.partialRecord(z.enum(priceCategories), feeBhd),
)
export type MessagePrices = z.output<typeof messagePrices>

/**
 * Meta's list prices, without discounts for large numbers, in US dollars for one message. Bahrain belongs to "Rest of
 * Middle East"; Kuwait and Oman left it on 1 October 2026 with higher prices for service and codes. The list of that day
 * could not be read, so that those are not known here. Other countries differ too much for one price.
 */
export const metaPrices = {
  source: 'https://whatsappbusiness.com/products/platform-pricing/',
  effectiveFrom: '2026-07-01',
  readOn: '2026-09-21',
  newerFrom: '2026-10-01',
  usd: {
    BH: { marketing: 0.0341, utility: 0.0091, authentication: 0.0091 },
    SA: { marketing: 0.0501, utility: 0.0107, authentication: 0.0107 },
    AE: { marketing: 0.0499, utility: 0.0157, authentication: 0.0157 },
    QA: { marketing: 0.0341, utility: 0.012, authentication: 0.012 },
    KW: { marketing: 0.0341 },
    OM: { marketing: 0.0341 },
  },
} as const satisfies {
  source: string
  effectiveFrom: string
  readOn: string
  newerFrom: string
  usd: Partial<Record<PriceCountry, Partial<Record<PriceCategory, number>>>>
}

/** Fils for a US dollar, at which the dinar is pegged. */
const FILS_FOR_USD = 376

/** BHD for 1000 messages at Meta's list price; undefined where it is not known. */
export function listPriceOf(country: PriceCountry, category: PriceCategory): number | undefined {
  const prices: Partial<Record<PriceCountry, Partial<Record<PriceCategory, number>>>> = metaPrices.usd
  const usd = prices[country]?.[category]
  return usd === undefined ? undefined : Math.round(usd * 1000 * FILS_FOR_USD) / 1000
}

/** The owner's price, else Meta's, else the owner's for all other countries. */
export const priceOf = (prices: MessagePrices, country: PriceCountry, category: PriceCategory): number | undefined =>
  prices[country]?.[category] ?? listPriceOf(country, category) ?? prices.other?.[category]

export const settings = z.object({
  ...companyFacts,
  messagePrices,
  /** 0 until the first change. */
  version: z.number(),
})
export type Settings = z.output<typeof settings>

const access = { path: '/api/admin/settings', allow: 'super' } as const

export const getSettings = endpoint({
  ...access,
  method: 'GET',
  permissions: ['settings.read'],
  summary: 'Facts about the company as entered',
  returns: settings,
})

export const saveSettings = endpoint({
  ...access,
  method: 'PUT',
  permissions: ['settings.write'],
  summary: 'Replace the facts about the company; one that is missing or null is no longer shown',
  body: z.object({
    ...facts,
    /** Missing: stays as it is. */
    messagePrices: z.optional(messagePrices),
    version: z.optional(z.int().check(z.gte(0))),
  }),
  returns: settings,
  errors: ['VERSION_CONFLICT'],
})
