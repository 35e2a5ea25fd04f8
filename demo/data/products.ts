import type { BottleTerms } from '@qatra/contract/bottles'
import { noWater, type WaterFacts } from '@qatra/contract/products/water'
import { vendors } from './vendors.ts'

export interface SeedProduct extends WaterFacts {
  id: number
  vendorId: number
  name: string
  nameAr: string
  description: string
  descriptionAr: string
  /** BHD, without VAT */
  price: number
  size: (typeof sizes)[number]
  /** None: the shop draws the bottle. */
  imageUrl: null
  /** Percent; plain drinking water is zero-rated. */
  vatPercentage: 0 | 10
  inventoryUnit: string
  inventoryUnitAr: string
  unitsPerInventoryUnit: number
  bottleTerms: BottleTerms | null
}

const sizes = ['200ml', '330ml', '500ml', '600ml', '1.5L', '5 gallon'] as const

interface Kind {
  name: (vendor: string) => string
  nameAr: (vendor: string) => string
  about: string
  aboutAr: string
  vat?: 10
  /** Its description names the use, so that of the size is not appended. */
  isForItself?: true
  /** What becomes of its bottle, where the vendor keeps account of bottles. */
  terms?: BottleTerms
}

const kinds = {
  water: {
    name: (vendor) => `${vendor} water`,
    nameAr: (vendor) => `مياه ${vendor}`,
    about: 'Balanced still drinking water.',
    aboutAr: 'مياه شرب متوازنة.',
  },
  lowSodium: {
    name: (vendor) => `${vendor} low sodium`,
    nameAr: (vendor) => `مياه ${vendor} قليلة الصوديوم`,
    about: 'Still water with less than 5 mg of sodium in the litre.',
    aboutAr: 'مياه فيها أقل من 5 ملغ من الصوديوم في اللتر.',
  },
  alkaline: {
    name: (vendor) => `${vendor} alkaline`,
    nameAr: (vendor) => `مياه ${vendor} القلوية`,
    about: 'Alkaline still water, pH 8.5.',
    aboutAr: 'مياه قلوية بدرجة حموضة 8.5.',
  },
  kids: {
    name: (vendor) => `${vendor} kids`,
    nameAr: (vendor) => `${vendor} للأطفال`,
    about: 'Still water with a cap that small hands open and that does not spill, for school and the road.',
    aboutAr: 'مياه بغطاء يفتحه الصغار بسهولة ولا ينسكب، للمدرسة والطريق.',
    isForItself: true,
  },
  sport: {
    name: (vendor) => `${vendor} sport`,
    nameAr: (vendor) => `مياه ${vendor} الرياضية`,
    about: 'Still water with a pull-up cap for the gym and the road.',
    aboutAr: 'مياه بغطاء سحب للنادي والطريق.',
    isForItself: true,
  },
  glass: {
    name: (vendor) => `${vendor} glass bottle`,
    nameAr: (vendor) => `مياه ${vendor} بعبوة زجاجية`,
    about: 'Still water in glass for the table and for guests.',
    aboutAr: 'مياه في زجاج للمائدة وللضيوف.',
    isForItself: true,
  },
  sparkling: {
    name: (vendor) => `${vendor} sparkling`,
    nameAr: (vendor) => `مياه ${vendor} الفوارة`,
    about: 'Sparkling water with fine bubbles, no sugar.',
    aboutAr: 'مياه فوارة بفقاعات ناعمة، بلا سكر.',
    vat: 10,
  },
  lemon: {
    name: (vendor) => `${vendor} lemon`,
    nameAr: (vendor) => `${vendor} بنكهة الليمون`,
    about: 'Water with a touch of lemon, no sugar.',
    aboutAr: 'مياه بلمسة ليمون، بلا سكر.',
    vat: 10,
  },
  mint: {
    name: (vendor) => `${vendor} mint`,
    nameAr: (vendor) => `${vendor} بنكهة النعناع`,
    about: 'Water with a touch of mint, no sugar.',
    aboutAr: 'مياه بلمسة نعناع، بلا سكر.',
    vat: 10,
  },
  gallon: {
    name: (vendor) => `${vendor} gallon`,
    nameAr: (vendor) => `غالون ${vendor}`,
    about: 'A full bottle for your empty one.',
    aboutAr: 'قارورة ممتلئة مقابل قارورتك الفارغة.',
    terms: 'exchange',
  },
  newGallon: {
    name: (vendor) => `${vendor} gallon, new bottle`,
    nameAr: (vendor) => `قارورة ${vendor} جديدة مملوءة`,
    about: 'A full bottle that is yours to keep and swap.',
    aboutAr: 'قارورة ممتلئة تبقى لك وتستبدلها في كل مرة.',
    isForItself: true,
    terms: 'sold',
  },
} satisfies Record<string, Kind>

const uses: Record<SeedProduct['size'], [en: string, ar: string]> = {
  '200ml': ['For guests, mosques and lunch boxes.', 'للضيوف والمساجد وحقائب المدرسة.'],
  '330ml': ['For the fridge door and the car.', 'لباب الثلاجة وللسيارة.'],
  '500ml': ['For work and the way.', 'للدوام والطريق.'],
  '600ml': ['For long days outside.', 'للأيام الطويلة خارج البيت.'],
  '1.5L': ['For the family table.', 'لمائدة العائلة.'],
  '5 gallon': ['For the dispenser, 18.9 litres.', 'لبرادة الماء، 18.9 لترًا.'],
}

type Line = [
  kind: keyof typeof kinds,
  size: SeedProduct['size'],
  price: number,
  unit?: 'Carton' | 'Pack',
  units?: number,
]

const lines: Record<number, Line[]> = {
  1: [
    ['water', '200ml', 1.4, 'Carton', 40],
    ['water', '330ml', 1.35, 'Carton', 24],
    ['water', '500ml', 1.6, 'Carton', 24],
    ['water', '600ml', 1.75, 'Carton', 24],
    ['water', '1.5L', 0.95, 'Carton', 6],
    ['gallon', '5 gallon', 0.8],
    ['lowSodium', '500ml', 1.8, 'Carton', 24],
    ['lowSodium', '1.5L', 1.15, 'Carton', 6],
    ['kids', '200ml', 1.2, 'Carton', 24],
    ['alkaline', '500ml', 2.4, 'Carton', 24],
    ['sport', '600ml', 1.95, 'Carton', 24],
    ['lemon', '330ml', 0.9, 'Pack', 6],
    ['sparkling', '330ml', 3.6, 'Carton', 24],
  ],
  2: [
    ['water', '200ml', 1.45, 'Carton', 40],
    ['water', '330ml', 1.3, 'Carton', 24],
    ['water', '500ml', 1.5, 'Carton', 20],
    ['water', '600ml', 1.7, 'Carton', 20],
    ['water', '1.5L', 1, 'Carton', 6],
    ['gallon', '5 gallon', 0.85],
    ['lowSodium', '330ml', 1.55, 'Carton', 24],
    ['kids', '200ml', 0.7, 'Pack', 12],
    ['sparkling', '330ml', 3.4, 'Carton', 24],
    ['mint', '500ml', 1.1, 'Pack', 6],
  ],
  3: [
    ['water', '200ml', 1.25, 'Carton', 40],
    ['water', '330ml', 1.25, 'Carton', 24],
    ['water', '500ml', 1.45, 'Carton', 24],
    ['water', '600ml', 0.95, 'Pack', 12],
    ['water', '1.5L', 1.7, 'Carton', 12],
    ['gallon', '5 gallon', 0.7],
    ['lowSodium', '5 gallon', 0.9],
    ['alkaline', '1.5L', 1.4, 'Carton', 6],
  ],
  4: [
    ['water', '200ml', 1.5, 'Carton', 40],
    ['water', '330ml', 1.45, 'Carton', 24],
    ['water', '500ml', 1.7, 'Carton', 24],
    ['water', '600ml', 1.9, 'Carton', 24],
    ['water', '1.5L', 1.05, 'Carton', 6],
    ['gallon', '5 gallon', 0.9],
    ['sport', '600ml', 1.05, 'Pack', 12],
    ['glass', '330ml', 4.5, 'Carton', 24],
    ['sparkling', '330ml', 3.2, 'Carton', 24],
    ['sparkling', '500ml', 1.65, 'Pack', 12],
    ['lemon', '330ml', 1.75, 'Pack', 12],
    ['mint', '330ml', 1.75, 'Pack', 12],
  ],
  5: [
    ['water', '200ml', 1.3, 'Carton', 48],
    ['water', '330ml', 1.2, 'Carton', 24],
    ['water', '500ml', 1.4, 'Carton', 24],
    ['water', '600ml', 1.6, 'Carton', 24],
    ['water', '1.5L', 0.9, 'Carton', 6],
    ['gallon', '5 gallon', 0.75],
    ['lowSodium', '1.5L', 1.05, 'Carton', 6],
    ['kids', '200ml', 0.35, 'Pack', 6],
  ],
  6: [
    ['lowSodium', '200ml', 1.85, 'Carton', 40],
    ['lowSodium', '330ml', 1.75, 'Carton', 24],
    ['lowSodium', '500ml', 2, 'Carton', 24],
    ['lowSodium', '1.5L', 1.3, 'Carton', 6],
    ['alkaline', '330ml', 2.2, 'Carton', 24],
    ['alkaline', '600ml', 2.9, 'Carton', 24],
    ['alkaline', '1.5L', 1.6, 'Carton', 6],
    ['gallon', '5 gallon', 1.1],
    ['glass', '500ml', 2.6, 'Carton', 12],
    ['lemon', '500ml', 1.3, 'Pack', 6],
  ],
  7: [
    ['water', '200ml', 1.35, 'Carton', 40],
    ['water', '330ml', 1.25, 'Carton', 24],
    ['water', '500ml', 1.5, 'Carton', 24],
    ['water', '600ml', 1.65, 'Carton', 24],
    ['water', '1.5L', 0.85, 'Carton', 6],
    ['gallon', '5 gallon', 0.65],
    ['newGallon', '5 gallon', 2.9],
    ['sparkling', '330ml', 1.9, 'Pack', 12],
  ],
  8: [
    ['water', '200ml', 1.1, 'Carton', 48],
    ['water', '330ml', 1.95, 'Carton', 40],
    ['water', '500ml', 2.15, 'Carton', 40],
    ['water', '600ml', 1.5, 'Carton', 24],
    ['water', '1.5L', 1.6, 'Carton', 12],
    ['gallon', '5 gallon', 0.6],
    ['kids', '200ml', 1.15, 'Carton', 24],
    ['sport', '600ml', 1.7, 'Carton', 24],
    ['sparkling', '330ml', 2.95, 'Carton', 24],
  ],
}

const lowSodiumFacts = {
  source: 'Desalinated, Bahrain',
  sourceAr: 'مياه محلاة، البحرين',
  tds: 110,
  sodium: 4.5,
  ph: 7.4,
  filledWithinDays: 30,
}

const unitsAr = { Carton: 'كرتون', Pack: 'حزمة' } as const
const gallonUnits = {
  exchange: { inventoryUnit: 'Gallon', inventoryUnitAr: 'غالون' },
  sold: { inventoryUnit: 'With a new bottle', inventoryUnitAr: 'مع قارورة جديدة' },
  // The only way to say it without an account of bottles.
  other: { inventoryUnit: 'Swap for your empty', inventoryUnitAr: 'مقابل قارورتك الفارغة' },
}

export const products: readonly SeedProduct[] = vendors
  .flatMap((vendor) => (lines[vendor.id] ?? []).map((line) => ({ vendor, line })))
  .map(({ vendor, line: [kindName, size, price, unit, units = 1] }, index) => {
    const kind: Kind = kinds[kindName]
    const [use, useAr] = uses[size]
    // Low sodium in the gallon comes for an empty one, too.
    const terms = size === '5 gallon' ? (kind.terms ?? 'exchange') : null
    const bottleTerms = vendor.bottleDeposit === null ? null : terms
    return {
      id: index + 1,
      vendorId: vendor.id,
      name: kind.name(vendor.name),
      nameAr: kind.nameAr(vendor.nameAr),
      description: kind.isForItself ? kind.about : `${kind.about} ${use}`,
      descriptionAr: kind.isForItself ? kind.aboutAr : `${kind.aboutAr} ${useAr}`,
      price,
      size,
      imageUrl: null,
      vatPercentage: kind.vat ?? 0,
      ...(unit ? { inventoryUnit: unit, inventoryUnitAr: unitsAr[unit] } : gallonUnits[bottleTerms ?? 'other']),
      unitsPerInventoryUnit: units,
      bottleTerms,
      ...(kindName === 'lowSodium' ? { ...noWater, ...lowSodiumFacts } : noWater),
    }
  })
