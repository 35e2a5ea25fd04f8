import type { Coordinates } from './geo.ts'

export const governorates = ['capital', 'muharraq', 'northern', 'southern'] as const
export type Governorate = (typeof governorates)[number]

/** Codes of the towns and districts of each of the four governorates, as defined since 2014. */
const codes: Record<Governorate, string> = {
  capital: `manama diplomatic-area bahrain-bay ras-rumman hoora gudaibiya naim reef-island salmaniya segaya adliya juffair
    mina-salman mahooz um-al-hassam zinj bilad-al-qadeem burhama nabih-saleh seef sanabis daih jidhafs tashan karbabad
    tubli jid-ali jurdab sanad nuwaidrat eker maameer sitra east-sitra`,
  muharraq: `muharraq busaiteen dair samaheej galali arad hidd hidd-industrial diyar-al-muharraq amwaj dilmunia`,
  northern: `jeblat-hebshi sehla qala hillat-abdul-saleh abu-saiba shakhoora karrana bu-quwah jannusan barbar diraz
    bani-jamra markh maqabah saar budaiya qurayya janabiya salman-city jasra hamala damistan karzakan malkiya shahrakan
    dar-kulaib umm-an-nasan salmabad aali buri hamad-town`,
  southern: `isa-town zayed-town bu-kowara east-riffa west-riffa hajiyat riffa-views awali zallaq al-areen sakhir
    bilaj-al-jazayer askar jaw al-dur jebel-dukhan rumaitha durrat-al-bahrain`,
}
export const governorateByCode: ReadonlyMap<string, Governorate> = new Map(
  governorates.flatMap((one) => codes[one].split(/\s+/).map((code) => [code, one] as const)),
)

interface Place {
  areaId: string
  centre: Coordinates
}

/** Governorate of an area: by its code, else that of the nearest area with a known code. */
export function governorateOf(area: Place, among: readonly Place[]): Governorate {
  const own = governorateByCode.get(area.areaId)
  if (own) return own
  const away = ({ centre }: Place) => Math.hypot(centre.lat - area.centre.lat, centre.lng - area.centre.lng)
  const [nearest] = among.filter(({ areaId }) => governorateByCode.has(areaId)).sort((a, b) => away(a) - away(b))
  return (nearest && governorateByCode.get(nearest.areaId)) ?? 'capital'
}
