import { type I18n, setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Lang } from '@qatra/contract/lib/lang'
import adminNotificationsAr from '@qatra/contract/messages/admin-notifications.ar.json' with { type: 'json' }
import adminNotificationsEn from '@qatra/contract/messages/admin-notifications.en.json' with { type: 'json' }
import authAr from '@qatra/contract/messages/auth.ar.json' with { type: 'json' }
import authEn from '@qatra/contract/messages/auth.en.json' with { type: 'json' }
import botAr from '@qatra/contract/messages/bot.ar.json' with { type: 'json' }
import botEn from '@qatra/contract/messages/bot.en.json' with { type: 'json' }
import bottlesAr from '@qatra/contract/messages/bottles.ar.json' with { type: 'json' }
import bottlesEn from '@qatra/contract/messages/bottles.en.json' with { type: 'json' }
import bulkAr from '@qatra/contract/messages/bulk.ar.json' with { type: 'json' }
import bulkEn from '@qatra/contract/messages/bulk.en.json' with { type: 'json' }
import campaignFileAr from '@qatra/contract/messages/campaign-file.ar.json' with { type: 'json' }
import campaignFileEn from '@qatra/contract/messages/campaign-file.en.json' with { type: 'json' }
import cannedFileAr from '@qatra/contract/messages/canned-file.ar.json' with { type: 'json' }
import cannedFileEn from '@qatra/contract/messages/canned-file.en.json' with { type: 'json' }
import checkoutAr from '@qatra/contract/messages/checkout.ar.json' with { type: 'json' }
import checkoutEn from '@qatra/contract/messages/checkout.en.json' with { type: 'json' }
import customerFileAr from '@qatra/contract/messages/customer-file.ar.json' with { type: 'json' }
import customerFileEn from '@qatra/contract/messages/customer-file.en.json' with { type: 'json' }
import daysAr from '@qatra/contract/messages/days.ar.json' with { type: 'json' }
import daysEn from '@qatra/contract/messages/days.en.json' with { type: 'json' }
import mediaAr from '@qatra/contract/messages/media.ar.json' with { type: 'json' }
import mediaEn from '@qatra/contract/messages/media.en.json' with { type: 'json' }
import newsAr from '@qatra/contract/messages/news.ar.json' with { type: 'json' }
import newsEn from '@qatra/contract/messages/news.en.json' with { type: 'json' }
import orderEditAr from '@qatra/contract/messages/order-edit.ar.json' with { type: 'json' }
import orderEditEn from '@qatra/contract/messages/order-edit.en.json' with { type: 'json' }
import orderFileAr from '@qatra/contract/messages/order-file.ar.json' with { type: 'json' }
import orderFileEn from '@qatra/contract/messages/order-file.en.json' with { type: 'json' }
import peopleFileAr from '@qatra/contract/messages/people-file.ar.json' with { type: 'json' }
import peopleFileEn from '@qatra/contract/messages/people-file.en.json' with { type: 'json' }
import placesAr from '@qatra/contract/messages/places.ar.json' with { type: 'json' }
import placesEn from '@qatra/contract/messages/places.en.json' with { type: 'json' }
import productAr from '@qatra/contract/messages/product.ar.json' with { type: 'json' }
import productEn from '@qatra/contract/messages/product.en.json' with { type: 'json' }
import receiptAr from '@qatra/contract/messages/receipt.ar.json' with { type: 'json' }
import receiptEn from '@qatra/contract/messages/receipt.en.json' with { type: 'json' }
import reorderAr from '@qatra/contract/messages/reorder.ar.json' with { type: 'json' }
import reorderEn from '@qatra/contract/messages/reorder.en.json' with { type: 'json' }
import shellAr from '@qatra/contract/messages/shell.ar.json' with { type: 'json' }
import shellEn from '@qatra/contract/messages/shell.en.json' with { type: 'json' }
import telegramAr from '@qatra/contract/messages/telegram.ar.json' with { type: 'json' }
import telegramEn from '@qatra/contract/messages/telegram.en.json' with { type: 'json' }
import testOrderAr from '@qatra/contract/messages/test-order.ar.json' with { type: 'json' }
import testOrderEn from '@qatra/contract/messages/test-order.en.json' with { type: 'json' }
import transcriptAr from '@qatra/contract/messages/transcript.ar.json' with { type: 'json' }
import transcriptEn from '@qatra/contract/messages/transcript.en.json' with { type: 'json' }
import totalsAr from '@qatra/contract/messages/totals.ar.json' with { type: 'json' }
import totalsEn from '@qatra/contract/messages/totals.en.json' with { type: 'json' }
import unitAr from '@qatra/contract/messages/unit.ar.json' with { type: 'json' }
import unitEn from '@qatra/contract/messages/unit.en.json' with { type: 'json' }
import validationAr from '@qatra/contract/messages/validation.ar.json' with { type: 'json' }
import validationEn from '@qatra/contract/messages/validation.en.json' with { type: 'json' }

/** The message catalogs of server texts; pages load theirs in the browser. */
const messageCatalogs: readonly { ar: Record<string, string>; en: Record<string, string> }[] = [
  { ar: validationAr, en: validationEn },
  { ar: adminNotificationsAr, en: adminNotificationsEn },
  { ar: authAr, en: authEn },
  { ar: botAr, en: botEn },
  { ar: bottlesAr, en: bottlesEn },
  { ar: bulkAr, en: bulkEn },
  { ar: campaignFileAr, en: campaignFileEn },
  { ar: cannedFileAr, en: cannedFileEn },
  { ar: checkoutAr, en: checkoutEn },
  { ar: customerFileAr, en: customerFileEn },
  { ar: daysAr, en: daysEn },
  { ar: mediaAr, en: mediaEn },
  { ar: newsAr, en: newsEn },
  { ar: orderEditAr, en: orderEditEn },
  { ar: orderFileAr, en: orderFileEn },
  { ar: peopleFileAr, en: peopleFileEn },
  { ar: placesAr, en: placesEn },
  { ar: productAr, en: productEn },
  { ar: receiptAr, en: receiptEn },
  { ar: reorderAr, en: reorderEn },
  { ar: shellAr, en: shellEn },
  { ar: telegramAr, en: telegramEn },
  { ar: testOrderAr, en: testOrderEn },
  { ar: transcriptAr, en: transcriptEn },
  { ar: totalsAr, en: totalsEn },
  { ar: unitAr, en: unitEn },
]

export type Translator = (key: string, values?: Record<string, string | number>) => string

const compiled = new Map<Lang, I18n>()

/** Translates server texts into one language; a missing key is shown as itself. */
export function translatorFor(lang: Lang): Translator {
  const known = compiled.get(lang)
  if (known) return (key, values) => known._(key, values)
  const entries = messageCatalogs.flatMap((catalogue) => Object.entries<string>(catalogue[lang]))
  const messages = Object.fromEntries(entries.map(([key, text]) => [key, compileMessage(text)]))
  const words = setupI18n({ locale: lang, messages: { [lang]: messages }, missing: (_, key) => key })
  compiled.set(lang, words)
  return (key, values) => words._(key, values)
}
