import type { BottleTerms } from '@qatra/contract/bottles'
import { rowIdNumber } from '@qatra/contract/lib/ids'
import { fold, hasArabicLetters } from '@qatra/contract/lib/text'
import { bulkFields } from '@qatra/contract/products/bulk'
import { productShape, requiredLine, unitPresets } from '@qatra/contract/products/fields'
import { volumeOf } from '@qatra/contract/products/sizes'
import type * as z from 'zod/mini'
import { type Columns, checked, type Refuse } from '../../import/columns.ts'
import { csvOf } from '../../lib/csv.ts'
import type { ProductFacts } from '../facts.ts'
import {
  answerIn,
  countIn,
  isAmbiguous,
  numberIn,
  plainDigits,
  termsIn,
  withoutDinar,
  withoutMilligrams,
} from './values.ts'

/** As the columns read them: a vendor may be named instead of numbered. */
export type ProductCells = Omit<ProductFacts, 'vendorId' | 'bottle'> & {
  id: number
  vendorId: number | string
  bottleType: string
  bottleTerms: BottleTerms
}

const as =
  <T>(schema: z.ZodMiniType<T>) =>
  (cell: unknown, refuse: Refuse) =>
    checked(schema, cell, refuse)

interface NumberRules {
  digitsOf?: (text: string) => string
  /** Of a text that is no number. */
  otherwise?: (text: string) => number | null
}

function number<T extends number | null>(
  schema: z.ZodMiniType<T>,
  { digitsOf = plainDigits, otherwise = () => null }: NumberRules = {},
) {
  return (cell: unknown, refuse: Refuse) => {
    const text = typeof cell === 'string' ? digitsOf(cell) : null
    if (text !== null && isAmbiguous(text)) return refuse('bulk.comma')
    return checked(schema, text === null ? cell : (numberIn(text) ?? otherwise(text) ?? cell), refuse)
  }
}

const vendorNumber = number(productShape.vendorId)
const percentage = number(productShape.vatPercentage)
const numberOf = (cell: unknown) => (typeof cell === 'string' ? numberIn(plainDigits(cell)) : cell)

/** A price has fils or a currency; a bare number can be anything. */
function isPrice(cell: string): boolean {
  const bare = withoutDinar(cell)
  const price = numberIn(plainDigits(bare))
  return price !== null && price > 0 && price < 100 && (/[.,\u066b]/.test(bare) || bare !== plainDigits(cell))
}

const units = new Set(unitPresets.flatMap(({ en, ar }) => [fold(en), fold(ar)]))
const isNameText = (cell: string) =>
  cell.length > 2 && volumeOf(cell) === null && !units.has(fold(cell)) && !isPrice(cell) && answerIn(cell) === null

export const columns: Columns<ProductCells, unknown> = {
  id: {
    headings: ['product id, product no', 'رقم المنتج'],
    read: (cell, refuse) => rowIdNumber.safeParse(numberOf(cell)).data ?? refuse('bulk.unknownId'),
  },
  vendorId: {
    headings: ['vendor, vendor no, brand', 'رقم العلامة, العلامة, رقم المورد, المورد, الماركة'],
    read: (cell, refuse) =>
      typeof cell === 'string' && numberOf(cell) === null ? plainDigits(cell) : vendorNumber(cell, refuse),
  },
  name: {
    headings: [
      'name en, name english, english name, product, product name, item, item name',
      'الاسم بالإنجليزية, الاسم الإنجليزي, الاسم بالإنجليزي, الاسم, اسم المنتج, المنتج, الصنف, اسم الصنف',
    ],
    isRequired: true,
    looksLike: (cell) => /[A-Za-z]{3}/.test(cell) && isNameText(cell),
    read: as(productShape.name),
  },
  price: {
    headings: [
      'price bhd, price bd, unit price, selling price, sale price',
      'السعر, السعر د.ب, السعر بالدينار, سعر, سعر البيع, سعر الكرتون, سعر الوحدة',
    ],
    isRequired: true,
    looksLike: isPrice,
    read: number(productShape.price, { digitsOf: withoutDinar }),
  },
  size: {
    headings: ['volume, bottle size', 'الحجم, السعة, المقاس, حجم العبوة'],
    isRequired: true,
    looksLike: (cell) => volumeOf(cell) !== null,
    read: as(productShape.size),
  },
  imageUrl: {
    headings: ['image, picture, photo, picture address', 'الصورة, رابط الصورة, عنوان الصورة'],
    read: as(productShape.imageUrl),
  },
  nameAr: {
    headings: ['name arabic, arabic name', 'الاسم بالعربية, الاسم العربي, الاسم بالعربي'],
    insteadOf: 'name',
    looksLike: (cell) => hasArabicLetters(cell) && isNameText(cell),
    read: as(productShape.nameAr),
  },
  description: {
    headings: ['description en, description english', 'الوصف بالإنجليزية, الوصف'],
    read: as(productShape.description),
  },
  descriptionAr: {
    headings: ['description arabic, arabic description', 'الوصف بالعربية, الوصف العربي, الوصف بالعربي'],
    read: as(productShape.descriptionAr),
  },
  vatPercentage: {
    headings: ['vat, vat percent, vat %, vat rate, tax', 'الضريبة, نسبة الضريبة, ضريبة القيمة المضافة'],
    read(cell, refuse, isJson) {
      const share = isJson ? null : numberOf(cell)
      // Excel stores 10 % as 0.1.
      return typeof share === 'number' && share > 0 && share < 1 ? refuse('bulk.share') : percentage(cell, refuse)
    },
  },
  isActive: {
    headings: [
      'active, on sale, available, availability, in stock, stock status',
      'مفعل, فعال, نشط, معروض, متوفر, متاح, التوفر, الإتاحة, متوفر نعم/لا, حالة المنتج',
    ],
    read: (cell, refuse) => {
      const answer = typeof cell === 'string' ? answerIn(cell) : cell
      return answer === null ? refuse('bulk.yesOrNo') : checked(productShape.isActive, answer, refuse)
    },
  },
  inventoryUnit: {
    headings: ['unit, uom, sale unit', 'الوحدة, وحدة البيع, وحدة التخزين, الوحدة بالإنجليزية'],
    read: as(productShape.inventoryUnit),
  },
  inventoryUnitAr: {
    headings: ['unit arabic, arabic unit', 'الوحدة بالعربية, الوحدة بالعربي'],
    read: as(productShape.inventoryUnitAr),
  },
  unitsPerInventoryUnit: {
    headings: [
      'units, units per unit, units per carton, units/carton, pieces, pieces per carton, pcs, pcs per carton',
      'pcs/ctn, pcs/carton, bottles per carton, qty per carton, quantity per carton, carton qty',
      'carton quantity, pack size, packing',
      'العدد, العدد في الوحدة, العدد في الكرتون, العدد بالكرتون, عدد القطع, عدد القطع في الكرتون',
      'عدد القطع في الوحدة, عدد الحبات, عدد الحبات في الكرتون, عدد الحبات بالكرتون, عدد العبوات',
      'عدد العبوات في الكرتون, عدد القناني, الكمية في الكرتون, الكمية بالكرتون, حبة/كرتون, حبة في الكرتون',
      'قطعة في الكرتون, التعبئة',
    ],
    read: number(productShape.unitsPerInventoryUnit, { otherwise: countIn }),
  },
  bottleType: {
    headings: ['type of bottle, exchange bottle, returnable bottle', 'نوع القارورة, نوع القوارير, قارورة التبديل'],
    read: as(requiredLine(60)),
  },
  bottleTerms: {
    headings: ['terms of bottle, exchange or sold', 'تبديل أو بيع, شرط القارورة'],
    read: (cell, refuse) => (typeof cell === 'string' ? termsIn(cell) : null) ?? refuse('bulk.bottleTerms'),
  },
  source: { headings: ['water source, source en', 'المصدر بالإنجليزية'], read: as(productShape.source) },
  sourceAr: {
    headings: ['source arabic, arabic source', 'المصدر, مصدر المياه, المصدر بالعربية'],
    read: as(productShape.sourceAr),
  },
  tds: {
    headings: ['tds mg/l, tds ppm, total dissolved solids', 'الأملاح, الأملاح الذائبة, مجموع الأملاح الذائبة'],
    read: number(productShape.tds, { digitsOf: withoutMilligrams }),
  },
  sodium: {
    headings: ['sodium mg/l, na, na mg/l', 'الصوديوم, صوديوم, نسبة الصوديوم'],
    read: number(productShape.sodium, { digitsOf: withoutMilligrams }),
  },
  ph: { headings: ['ph value, acidity', 'الحموضة, درجة الحموضة, الرقم الهيدروجيني'], read: number(productShape.ph) },
  filledOn: {
    headings: ['filling date, production date, bottled on', 'تاريخ التعبئة, تاريخ الإنتاج'],
    read: (cell, refuse) => checked(productShape.filledOn, typeof cell === 'string' ? plainDigits(cell) : cell, refuse),
  },
  filledWithinDays: {
    headings: ['filled within days, filled within', 'معبأة خلال, أيام التعبئة, معبأة خلال أيام'],
    read: number(productShape.filledWithinDays, { otherwise: countIn }),
  },
}

/** Three sample products of this vendor. */
export const bulkTemplate = (vendorId: number): string =>
  csvOf([
    bulkFields.join(','),
    `${vendorId},Spring water,1.500,500ml,https://example.com/spring-500.jpg,مياه الينبوع,Still water,مياه ساكنة,0,true,Carton,كرتون,24`,
    `${vendorId},Spring water,1.900,1.5L,https://example.com/spring-1500.jpg,مياه الينبوع,,,0,true,Pack,حزمة,6`,
    `${vendorId},Sparkling water,2.400,330ml,https://example.com/sparkling-330.jpg,مياه فوارة,"With fine bubbles, no sugar",بفقاعات ناعمة، بلا سكر,10,false,Case,صندوق,12`,
  ])
