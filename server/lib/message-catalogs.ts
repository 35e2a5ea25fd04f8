import authAr from '@qatra/contract/messages/auth.ar.json' with { type: 'json' }
import authEn from '@qatra/contract/messages/auth.en.json' with { type: 'json' }
import botAr from '@qatra/contract/messages/bot.ar.json' with { type: 'json' }
import botEn from '@qatra/contract/messages/bot.en.json' with { type: 'json' }
import bulkAr from '@qatra/contract/messages/bulk.ar.json' with { type: 'json' }
import bulkEn from '@qatra/contract/messages/bulk.en.json' with { type: 'json' }
import campaignFileAr from '@qatra/contract/messages/campaign-file.ar.json' with { type: 'json' }
import campaignFileEn from '@qatra/contract/messages/campaign-file.en.json' with { type: 'json' }
import mediaAr from '@qatra/contract/messages/media.ar.json' with { type: 'json' }
import mediaEn from '@qatra/contract/messages/media.en.json' with { type: 'json' }
import newsAr from '@qatra/contract/messages/news.ar.json' with { type: 'json' }
import newsEn from '@qatra/contract/messages/news.en.json' with { type: 'json' }
import orderFileAr from '@qatra/contract/messages/order-file.ar.json' with { type: 'json' }
import orderFileEn from '@qatra/contract/messages/order-file.en.json' with { type: 'json' }
import peopleFileAr from '@qatra/contract/messages/people-file.ar.json' with { type: 'json' }
import peopleFileEn from '@qatra/contract/messages/people-file.en.json' with { type: 'json' }
import placesAr from '@qatra/contract/messages/places.ar.json' with { type: 'json' }
import placesEn from '@qatra/contract/messages/places.en.json' with { type: 'json' }
import receiptAr from '@qatra/contract/messages/receipt.ar.json' with { type: 'json' }
import receiptEn from '@qatra/contract/messages/receipt.en.json' with { type: 'json' }
import reorderAr from '@qatra/contract/messages/reorder.ar.json' with { type: 'json' }
import reorderEn from '@qatra/contract/messages/reorder.en.json' with { type: 'json' }
import shellAr from '@qatra/contract/messages/shell.ar.json' with { type: 'json' }
import shellEn from '@qatra/contract/messages/shell.en.json' with { type: 'json' }
import telegramAr from '@qatra/contract/messages/telegram.ar.json' with { type: 'json' }
import telegramEn from '@qatra/contract/messages/telegram.en.json' with { type: 'json' }
import validationAr from '@qatra/contract/messages/validation.ar.json' with { type: 'json' }
import validationEn from '@qatra/contract/messages/validation.en.json' with { type: 'json' }

/** The message catalogs of server texts; pages load theirs in the browser. */
export const messageCatalogs: readonly { ar: Record<string, string>; en: Record<string, string> }[] = [
  { ar: validationAr, en: validationEn },
  { ar: authAr, en: authEn },
  { ar: botAr, en: botEn },
  { ar: bulkAr, en: bulkEn },
  { ar: campaignFileAr, en: campaignFileEn },
  { ar: mediaAr, en: mediaEn },
  { ar: newsAr, en: newsEn },
  { ar: orderFileAr, en: orderFileEn },
  { ar: peopleFileAr, en: peopleFileEn },
  { ar: placesAr, en: placesEn },
  { ar: receiptAr, en: receiptEn },
  { ar: reorderAr, en: reorderEn },
  { ar: shellAr, en: shellEn },
  { ar: telegramAr, en: telegramEn },
]
