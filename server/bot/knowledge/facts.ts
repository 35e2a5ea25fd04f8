import {
  addDays,
  bahrainDate,
  FRIDAY,
  formatClock,
  formatDay,
  weekdayName,
  weekdayOf,
  weekFromSaturday,
} from '@qatra/contract/calendar/calendar'
import { slotWords } from '@qatra/contract/calendar/slot'
import { inLang, type Lang, listIn, nameIn } from '@qatra/contract/lib/lang'
import { type Fils, formatMoney } from '@qatra/contract/lib/money'
import { leftToRight } from '@qatra/contract/lib/text'
import {
  type AnswerKey,
  type BotFact,
  type FactValues,
  factsOf,
  fillFacts,
  isVendorTopic,
  type ShopTopic,
  topicOf,
} from '@qatra/contract/whatsapp/bot'
import { isAroundTheClock, officeHoursIn } from '../../calendar/office-hours.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { translatorFor } from '../../lib/translate.ts'
import { promisedSlotFor } from '../../vendors/promised-dates.ts'
import type { CatalogueVendor } from '../../vendors/snapshot.ts'
import type { BotKey } from '../dialogue/replies.ts'
import type { KnownShop } from './snapshot.queries.ts'

interface Asked {
  lang: Lang
  now: Date
  /** The brand that is asked about, if one is known. */
  vendor: CatalogueVendor | null
}

/** Days without deliveries this many days ahead are named. */
const DAYS_AHEAD = 14

/** Values of the facts, of one brand or of all: then fees and minimum orders are a range. */
export function factValues(shop: Catalogue, { lang, now, vendor }: Asked): FactValues {
  const t = translatorFor(lang)
  const active = [...shop.vendors.values()].filter(({ isActive }) => isActive)
  const asked = vendor ? [vendor] : active
  const money = (amount: Fils) => (amount === 0 ? t('bot.free') : formatMoney(amount, lang))
  const range = (amounts: readonly Fils[], written: (amount: Fils) => string) => {
    const sorted = [...new Set(amounts)].sort((a, b) => a - b)
    const [least, most] = [sorted[0], sorted.at(-1)]
    if (least === undefined || most === undefined) return null
    if (least === most) return written(least)
    if (least === 0) return t('bot.fact.rangeFree', { to: written(most) })
    return t('bot.fact.range', { from: written(least), to: written(most) })
  }
  const brands = active.map((each) => nameIn(lang, each))
  return {
    fee: range(
      asked.map(({ deliveryFee }) => deliveryFee),
      money,
    ),
    minimum: range(
      asked.map(({ minDeliveryAmount }) => minDeliveryAmount),
      (amount) => formatMoney(amount, lang),
    ),
    day: slotWords(promisedSlotFor(shop, vendor, now), lang, 'long'),
    days: daysOf(shop, asked, { lang, now }),
    brands: brands.length === 0 ? null : listIn(lang, brands),
    hours: hoursOf(shop, lang),
    phone: phoneOf(shop, lang),
    vendor: vendor && nameIn(lang, vendor),
  }
}

/** The office hours as written in the settings, else from opening to closing. */
function hoursOf({ settings }: Pick<Catalogue, 'settings'>, lang: Lang): string | null {
  const written = inLang(lang, settings.get('support.hours'), settings.get('support.hoursAr')).trim()
  const hours = officeHoursIn(settings)
  if (written !== '' || hours === null) return written || null
  const t = translatorFor(lang)
  const wordsOf = (day: (typeof hours)[number]) => {
    if (day === null) return null
    const [from, to] = [formatClock(day.opensAt, lang), formatClock(day.closesAt, lang)]
    return isAroundTheClock(day) ? t('bot.fact.always') : t('bot.fact.range', { from, to })
  }
  const days = weekFromSaturday.map((weekday) => ({ weekday, text: wordsOf(hours[weekday] ?? null) }))
  const texts = [...new Set(days.flatMap(({ text }) => text ?? []))]
  const [only = null] = texts
  if (texts.length === 1) return only
  const named = texts.map((text) => {
    const on = days.filter((day) => day.text === text).map(({ weekday }) => weekdayName(weekday, lang))
    return `${listIn(lang, on)}: ${text}`
  })
  return named.join(lang === 'ar' ? '؛ ' : '; ')
}

function phoneOf({ settings }: Pick<Catalogue, 'settings'>, lang: Lang): string | null {
  const phone = settings.get('support.phone')?.trim() || null
  return phone !== null && lang === 'ar' ? leftToRight(phone) : phone
}

/** The days of delivery, with the days of the next two weeks on which none of the brands delivers. */
function daysOf(
  { holidays }: Pick<Catalogue, 'holidays'>,
  brands: readonly CatalogueVendor[],
  { lang, now }: Pick<Asked, 'lang' | 'now'>,
): string {
  const t = translatorFor(lang)
  const today = bahrainDate(now)
  const closed = Array.from({ length: DAYS_AHEAD }, (_, i) => addDays(today, i)).filter(
    (day) =>
      weekdayOf(day) !== FRIDAY &&
      (holidays.has(day) || (brands.length > 0 && brands.every(({ closures }) => closures.has(day)))),
  )
  const days = t('bot.fact.days')
  if (closed.length === 0) return days
  const named = closed.map((day) => formatDay(day, lang, 'long'))
  return t('bot.fact.daysClosed', {
    days,
    closed: listIn(lang, named),
  })
}

/** Message of the default. The three topics of one brand share theirs. */
function messageOf(shop: Pick<Catalogue, 'settings'>, topic: ShopTopic, lang: Lang): BotKey {
  if (isVendorTopic(topic)) return 'bot.fee.vendor'
  if (topic === 'hours' && hoursOf(shop, lang) !== null) return 'bot.shop.hours.office'
  if (topic === 'contact' && phoneOf(shop, lang) !== null) return 'bot.shop.contact.phone'
  return `bot.shop.${topic}`
}

/** The default with its facts in braces; it names the office hours and the phone once they are entered. */
export function defaultText(shop: Pick<Catalogue, 'settings'>, topic: ShopTopic, lang: Lang): string {
  const braced = Object.fromEntries(factsOf(topic).map((name) => [name, `{${name}}`]))
  return translatorFor(lang)(messageOf(shop, topic, lang), braced)
}

/** The answer by staff with its facts; else the default, without a brand the range of all; null if nothing can be filled. */
export function answerText(shop: KnownShop, key: AnswerKey, asked: Asked): string | null {
  const values = factValues(shop, asked)
  const written = shop.answers.get(key)
  const filled = written ? fillFacts(written[asked.lang], values) : null
  const topic = topicOf(key)
  if (filled !== null || topic === null) return filled
  if (!isVendorTopic(topic) || asked.vendor) return fillFacts(defaultText(shop, topic, asked.lang), values)
  const { fee, minimum, day } = values
  return fee === null || minimum === null || day === null
    ? null
    : translatorFor(asked.lang)('bot.fee.all', { fee, minimum, day })
}

/** The facts in both languages, of one brand or of all. */
export function listFacts(shop: Catalogue, vendor: CatalogueVendor | null, now: Date): BotFact[] {
  const [ar, en] = [factValues(shop, { lang: 'ar', now, vendor }), factValues(shop, { lang: 'en', now, vendor })]
  return factsOf(vendor ? 'fees' : 'payment').map((name) => ({ name, ar: ar[name], en: en[name] }))
}
