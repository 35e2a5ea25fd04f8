import * as z from 'zod/mini'
import { timeInput } from '../calendar/dates.ts'
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
    /** Hours in which staff answer messages: HH:MM in Bahrain. */
    opensAt: fact(timeInput),
    closesAt: fact(timeInput),
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
