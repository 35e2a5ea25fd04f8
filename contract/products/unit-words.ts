/**
 * Words for the units of sale: of one, of several. The first in each language is the unit's name. The catalogue, files,
 * the search and the bot read them; spellings that `fold` joins need no entry.
 */
export const unitWords = {
  carton: ['carton ctn كرتون كرتونة', 'cartons كراتين'],
  case: ['case صندوق', 'cases صناديق'],
  pallet: ['pallet طبلية', 'pallets طبليات'],
  box: ['box علبة', 'boxes علب'],
  pack: ['pack shrink حزمة شدة ربطة شرنك', 'packs shrinks حزم'],
  gallon: ['gallon غالون جالون دبة', 'gallons غالونات دبات'],
  bottle: ['bottle قارورة', 'bottles قوارير'],
  piece: ['piece قطعة حبة عبوة', 'pieces pcs قطع حبات عبوات'],
} as const
export type UnitNoun = keyof typeof unitWords
export const unitNouns = /* @__PURE__ */ Object.keys(unitWords) as UnitNoun[] // the keys of the object above

export const wordsOfUnit = (noun: UnitNoun): string[] => unitWords[noun].join(' ').split(' ')

/**
 * As people in Bahrain type them besides: other letters, and Arabic in Latin letters (Arabizi). Of one, of several, and
 * the Arabic dual. Not part of `unitWords`, which the shop's first load has.
 */
const typedWords = {
  carton: [
    'كارتون كارتونه كرتن كرطون كارطون قرتون cartoon karton kartoon kartona cartona cartn katron kartun',
    'كراتن كراطين كرتونات كارتونات كراتينه كرتين cartoons ctns karateen karatin kraten krateen kratin karaten kartons kartoons',
    'كرتونين كارتونين كرتونتين كارتونتين kartonain kartonein kartonen kartoonein cartonain cartonein kartoonain kartoneen kartonin',
  ],
  case: ['sandoog sandouk', '', 'صندوقين'],
  pack: [
    'شداد باكيت بكت باكت packet pk pkt shadda shada',
    'ربطات شدات باكيتات packets pks pkts shaddat',
    'حزمتين ربطتين شدتين باكيتين',
  ],
  gallon: [
    'قالون گالون كالون قلن غلن جلن گلن قلون غالن galon gallone galoon galloon galun gln gallen dabba dabbah daba dubba',
    'غوالين جوالين قوالين گوالين جالونات قالونات گالونات قلنات غلنات گلنات قلونات غوالن جلنات دبب دباب قلنه galons gallns galoonat galonat gawaleen jawaleen qlinat gulinat dabbat',
    'غالونين جالونين قالونين گالونين قلنين گلنين غلنين دبتين galonain galoonain galonein',
  ],
  bottle: [
    'غرشه بطل بطله قنينه زجاجه بوتل botle ghirsha gharsha garsha butal botal qarora qaroora qarura',
    'غراش غرشات بطول بطاله بطولات ابطال قناني gharash ghrash btala',
    'غرشتين بطلين قنينتين قارورتين',
  ],
  piece: ['حبايه pc 7abba habba 7abbah', 'حباب 7abbat habbat', 'حبتين قطعتين'],
} as const satisfies Partial<Record<UnitNoun, readonly [string, string, string]>>
export type TypedUnit = keyof typeof typedWords

const forms = { one: 0, many: 1, two: 2 } as const
export type UnitForm = keyof typeof forms

/** All words for these units, separated by spaces: of one, of several, or of two. */
export const unitSpellings = (form: UnitForm, nouns: readonly TypedUnit[]): string =>
  nouns
    .flatMap((noun) => {
      const written: readonly string[] = unitWords[noun]
      return [written[forms[form]] ?? '', typedWords[noun][forms[form]]].filter(Boolean)
    })
    .join(' ')
