import { areas } from '../../server/areas/bahrain/areas.ts'

export interface SeedVendor {
  id: number
  name: string
  nameAr: string
  description: string
  descriptionAr: string
  /** `#rrggbb`, legible on white and under a white emblem */
  tint: string
  /** Key of contract/vendors/emblems.ts */
  emblem: string
  /** BHD */
  deliveryFee: number
  /** BHD */
  minDeliveryAmount: number
  /** Bahrain time HH:MM */
  cutOff: string | null
  /** BHD for a bottle that comes back; null if the vendor does not keep account of bottles. */
  bottleDeposit: number | null
  whatsappLink: string
  contactNumber: string
  companyName: string
  companyNameAr: string
  companyAddress: string
  companyAddressAr: string
  crNumber: string
  vatNumber: string
  /** Codes of the areas it delivers to */
  areas: readonly string[]
}

const manama = codes(`manama diplomatic-area bahrain-bay ras-rumman hoora gudaibiya naim reef-island salmaniya segaya
  adliya juffair mina-salman mahooz um-al-hassam zinj bilad-al-qadeem burhama nabih-saleh`)
const northCoast = codes(`seef sanabis daih jidhafs tashan karbabad jeblat-hebshi sehla qala hillat-abdul-saleh
  abu-saiba shakhoora karrana bu-quwah jannusan barbar diraz bani-jamra markh maqabah saar budaiya qurayya janabiya
  salman-city`)
const westCoast = codes('jasra hamala damistan karzakan malkiya shahrakan dar-kulaib zallaq')
const middle = codes(`tubli salmabad jid-ali jurdab sanad isa-town zayed-town aali buri bu-kowara east-riffa west-riffa
  hajiyat riffa-views awali hamad-town nuwaidrat eker maameer`)
const sitra = codes('sitra east-sitra nabih-saleh')
const south = codes('sakhir al-areen bilaj-al-jazayer askar jaw al-dur durrat-al-bahrain')
const muharraq = codes(`muharraq busaiteen dair samaheej galali arad hidd hidd-industrial diyar-al-muharraq amwaj
  dilmunia`)

/** Invented brands; no vendor with this name, number or registration exists. */
export const vendors: readonly SeedVendor[] = [
  vendor(1, 'Hayrat', 'هيرات', {
    description: 'Named after the pearl banks. Balanced drinking water for every day, delivered all over Bahrain.',
    descriptionAr: 'على اسم مغاصات اللؤلؤ. مياه شرب متوازنة لكل يوم، نوصّلها إلى كل مناطق البحرين.',
    tint: '#14708f',
    emblem: 'shell',
    deliveryFee: 0,
    minDeliveryAmount: 5,
    areas: areas.map(({ areaId }) => areaId),
  }),
  vendor(2, 'Ghaima', 'غيمة', {
    description: 'Light water with little salt, as soft as the first rain.',
    descriptionAr: 'مياه خفيفة قليلة الأملاح، ناعمة مثل أول المطر.',
    tint: '#6f63a8',
    emblem: 'cloud',
    deliveryFee: 0.5,
    minDeliveryAmount: 4,
    areas: [...manama, ...northCoast, ...middle, ...muharraq],
  }),
  vendor(3, 'Fayd', 'فيض', {
    description: 'Mineral-rich water for the whole family, gallons above all. Order by two for the next delivery day.',
    descriptionAr: 'مياه غنية بالمعادن لكل العائلة، وخصوصًا الغالونات. اطلب قبل الثانية ظهرًا لأقرب يوم توصيل.',
    tint: '#1d8a78',
    emblem: 'drop',
    deliveryFee: 0.3,
    minDeliveryAmount: 3,
    cutOff: '14:00',
    areas: [...manama, ...northCoast, ...westCoast, ...middle],
  }),
  vendor(4, 'Mawja', 'موجة', {
    description: 'Still and sparkling for the table, the office and the gym.',
    descriptionAr: 'مياه عادية وفوارة للمائدة والمكتب والنادي.',
    tint: '#bf6238',
    emblem: 'waves',
    bottleDeposit: null,
    deliveryFee: 0.75,
    minDeliveryAmount: 5,
    areas: [...manama, ...northCoast, ...muharraq],
  }),
  vendor(5, 'Falaj', 'فلج', {
    description: 'Cool and clear like the old channels under the palms. Strong in Riffa, Isa Town and Hamad Town.',
    descriptionAr: 'مياه باردة وصافية مثل الأفلاج القديمة تحت النخيل. معك في الرفاع ومدينة عيسى ومدينة حمد.',
    tint: '#3a63ad',
    emblem: 'channel',
    deliveryFee: 0.25,
    minDeliveryAmount: 3.5,
    areas: [...middle, ...westCoast, ...sitra.filter((code) => code !== 'nabih-saleh'), ...south],
  }),
  vendor(6, 'Sidra', 'سدرة', {
    description: 'Low-sodium and alkaline water in bottles that are half recycled.',
    descriptionAr: 'مياه قليلة الصوديوم وقلوية في عبوات نصفها من مواد معاد تدويرها.',
    tint: '#5c7d1e',
    emblem: 'leaf',
    deliveryFee: 1,
    minDeliveryAmount: 6,
    areas: [...northCoast, ...westCoast, ...manama],
  }),
  vendor(7, 'Qamra', 'قمرة', {
    description: 'Muharraq’s own water, from the old town to Diyar and Amwaj.',
    descriptionAr: 'مياه أهل المحرق، من الفرجان القديمة إلى الديار وأمواج.',
    tint: '#9a4a86',
    emblem: 'moon',
    deliveryFee: 0,
    minDeliveryAmount: 2.5,
    areas: muharraq,
  }),
  vendor(8, 'Wabil', 'وابل', {
    description: 'Cartons at wholesale prices for shops, mosques, admins and large families.',
    descriptionAr: 'كراتين بأسعار الجملة للمحلات والمساجد والمكاتب والعائلات الكبيرة.',
    tint: '#8f6a14',
    emblem: 'rain',
    deliveryFee: 0.8,
    minDeliveryAmount: 8,
    areas: [...new Set([...manama, ...middle, ...sitra, ...muharraq, ...codes('seef sanabis jidhafs hamala')])],
  }),
]

type Facts = Omit<
  SeedVendor,
  | 'id'
  | 'name'
  | 'nameAr'
  | 'cutOff'
  | 'bottleDeposit'
  | 'whatsappLink'
  | 'contactNumber'
  | 'companyName'
  | 'companyNameAr'
  | 'companyAddress'
  | 'companyAddressAr'
  | 'crNumber'
  | 'vatNumber'
> & { cutOff?: string; bottleDeposit?: null }

/** Adds a number of the demo range and unassigned registrations. */
function vendor(id: number, name: string, nameAr: string, facts: Facts): SeedVendor {
  return {
    id,
    name,
    nameAr,
    cutOff: null,
    bottleDeposit: 2,
    whatsappLink: `https://wa.me/9733600100${id}`,
    contactNumber: `+9733600100${id}`,
    companyName: `${name} Drinking Water W.L.L.`,
    companyNameAr: `${nameAr} لمياه الشرب ذ.م.م`,
    companyAddress: `Building ${100 + id}, Road 9${id}, Block 99${id}, Kingdom of Bahrain`,
    companyAddressAr: `مبنى ${100 + id}، طريق 9${id}، مجمع 99${id}، مملكة البحرين`,
    crNumber: `99900${id}-1`,
    vatNumber: `99999999990000${id}`,
    ...facts,
  }
}

function codes(list: string): string[] {
  return list.split(/\s+/)
}
