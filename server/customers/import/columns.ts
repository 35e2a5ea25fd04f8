import { mostBottles } from '@qatra/contract/bottles-admin'
import { westernDigits } from '@qatra/contract/lib/digits'
import type { Lang } from '@qatra/contract/lib/lang'
import { feeBhd } from '@qatra/contract/lib/money'
import { addressText, customerName, fold, freeText, lineText } from '@qatra/contract/lib/text'
import type { BottleType } from '@qatra/contract/products/bottle-types'
import { MOST_TAGS, tagText } from '@qatra/contract/users/customers'
import { type BottleColumn, type CustomerColumn, customerColumns } from '@qatra/contract/users/customers-import'
import type * as z from 'zod/mini'
import { yesOrNo } from '../../import/cells.ts'
import { type Columns, checked, type Refuse } from '../../import/columns.ts'
import { csvCell, csvOf } from '../../lib/csv.ts'
import { translatorFor } from '../../lib/translate.ts'
import { countIn, numberIn, plainDigits, withoutDinar } from '../../products/bulk/values.ts'
import { type Phones, readPhonesCell } from './phone-cell.ts'

export const LONGEST_NOTE = 1000

type OtherColumn = 'phone' | 'tags' | 'marketingConsent' | BottleColumn
export type CustomerCells = Record<Exclude<CustomerColumn, OtherColumn>, string> & {
  phone: Phones
  tags: string[]
  marketingConsent: boolean
  /** Whether the deposit of the type was paid, or how many BHD. */
  depositPaid: boolean | number
} & Record<Exclude<BottleColumn, 'depositPaid'>, number>

const as = (schema: z.ZodMiniType<string>) => (cell: string, refuse: Refuse) => checked(schema, cell, refuse)
function part(most: number) {
  const schema = lineText(most)
  return (cell: string, refuse: Refuse) => checked(schema, westernDigits(cell), refuse)
}

function readPhone(cell: string, refuse: Refuse): Phones | null {
  const read = readPhonesCell(cell)
  return 'phone' in read ? read : refuse(read.problem)
}

function readTags(cell: string, refuse: Refuse): string[] {
  const tags = new Set<string>()
  for (const piece of cell.split(/[;,،؛|\n]/)) {
    if (piece.trim() === '') continue
    const tag = checked(tagText, piece, refuse)
    if (tag !== null) tags.add(tag)
  }
  if (tags.size > MOST_TAGS) refuse('validation.tooManyTags')
  return [...tags]
}

const agreed = new Set(['agreed', 'موافق', 'وافق'].map(fold))
const declined = new Set(['not agreed', 'declined', 'غير موافق', 'لم يوافق', 'رفض'].map(fold))

function readConsent(cell: string, refuse: Refuse): boolean | null {
  if (agreed.has(fold(cell))) return true
  return declined.has(fold(cell)) ? false : (yesOrNo(cell) ?? refuse('customerFile.consent'))
}

function readBottles(cell: string, refuse: Refuse): number | null {
  const count = countIn(plainDigits(cell))
  return count !== null && count <= mostBottles ? count : refuse('customerFile.bottles')
}

const paid = new Set(['paid', 'مدفوع', 'مدفوعة', 'دفع'].map(fold))
const unpaid = new Set(['not paid', 'unpaid', 'none', 'غير مدفوع', 'غير مدفوعة', 'لم يدفع', 'بلا تأمين'].map(fold))

/** A number is an amount, also 1, which is a yes elsewhere. */
function readDeposit(cell: string, refuse: Refuse): boolean | number | null {
  const amount = numberIn(withoutDinar(cell))
  if (amount !== null) return checked(feeBhd, amount, refuse)
  if (paid.has(fold(cell))) return true
  return unpaid.has(fold(cell)) ? false : (yesOrNo(cell) ?? refuse('customerFile.deposit'))
}

export type OpeningType = Pick<BottleType, 'id' | 'name' | 'nameAr' | 'deposit'>

/** A file of a vendor that exchanges bottles has a column for its only type, or one for each. */
function bottleColumnsOf(types: readonly OpeningType[]) {
  const ofTypes = types.map(({ name, nameAr }) => {
    const names = nameAr === null ? [name] : [name, nameAr]
    const headings = names.flatMap((each) =>
      [`bottles ${each}`, `قوارير ${each}`, `القوارير ${each}`].map((one) => one.replaceAll(',', ' ')),
    )
    return [`bottles:${name}`, { headings, read: readBottles }] as const
  })
  return {
    bottles: {
      headings: [
        'bottles held, bottles at customer, empty bottles',
        'القوارير, قوارير, عدد القوارير, القوارير لديه, الفوارغ',
      ],
      read: (cell: string, refuse: Refuse) =>
        types.length === 1 ? readBottles(cell, refuse) : refuse('customerFile.bottlesOfType'),
    },
    ...Object.fromEntries(ofTypes),
    depositPaid: {
      headings: ['deposit, deposit paid, bottle deposit', 'التأمين, تأمين القوارير, التأمين المدفوع, تأمين مدفوع'],
      read: readDeposit,
    },
  }
}

/** Files often have one column for the mobile and one for the phone at home. */
export const columns: Columns<Pick<CustomerCells, (typeof customerColumns)[number]>> = {
  phone: {
    headings: [
      'phone number, mobile, mobile number, telephone, tel, whatsapp, contact, contact number, contact no',
      'phone no, mobile no, tel no',
      'الهاتف, رقم الهاتف, الجوال, رقم الجوال, الموبايل, النقال, رقم النقال, واتساب, هاتف, التلفون, رقم التلفون',
      'رقم الموبايل',
    ],
    isRequired: true,
    isRepeatable: true,
    looksLike: (cell) => 'phone' in readPhonesCell(cell),
    read: readPhone,
  },
  name: {
    headings: [
      'customer, customer name, client, client name, full name',
      'الاسم, الاسم الكامل, اسم العميل, العميل, اسم الزبون, الزبون',
    ],
    read: as(customerName(1)),
  },
  area: { headings: ['district, city, region', 'المنطقة, الحي, المدينة'], read: (cell) => cell },
  block: { headings: ['block no, block number', 'مجمع, المجمع, رقم المجمع'], read: part(10) },
  road: { headings: ['street, road no, road number', 'طريق, الطريق, رقم الطريق, الشارع'], read: part(20) },
  building: {
    headings: ['house, house no, building no, villa', 'مبنى, المبنى, رقم المبنى, المنزل, رقم المنزل, بيت'],
    read: part(20),
  },
  flat: { headings: ['apartment, flat no, unit', 'شقة, الشقة, رقم الشقة'], read: part(20) },
  address: { headings: ['full address', 'العنوان, العنوان الكامل'], read: as(addressText) },
  tags: { headings: ['tag, labels', 'الوسوم, وسم, التصنيف'], read: readTags },
  notes: {
    headings: ['note, remarks, comments', 'الملاحظات, ملاحظات, ملاحظة'],
    isRepeatable: true,
    isLabelled: true,
    read: as(freeText(LONGEST_NOTE)),
  },
  marketingConsent: {
    headings: ['consent, marketing, agreed to offers', 'وافق على العروض, الموافقة على العروض, موافقة التسويق, العروض'],
    read: readConsent,
  },
  consentSource: { headings: ['source of consent, how they agreed', 'مصدر الموافقة, كيف وافق'], read: (cell) => cell },
}

/** @param types that the vendor offers; none without a vendor */
export const columnsWith = (types: readonly OpeningType[]) =>
  (types.length === 0 ? columns : { ...columns, ...bottleColumnsOf(types) }) as Columns<CustomerCells>

/** In the order of the columns. */
const samples: Readonly<Record<Lang, readonly string[]>> = {
  ar: [
    '36001234,مريم علي,السيف,428,2831,1172,34,,شهري؛ مكتب,المدخل من الخلف,نعم,نموذج ورقي في معرض الربيع 2025',
    '39005678,يوسف حسن,,,,,,مبنى 12، طريق 34، المنامة,,,لا,',
  ],
  en: [
    '36001234,Maryam Ali,Seef,428,2831,1172,34,,"monthly; office",Entrance at the back,yes,Paper form at the spring fair 2025',
    '39005678,Yusuf Hasan,,,,,,"Building 12, Road 34, Manama",,,no,',
  ],
}

/**
 * Two sample customers, with headings in the language. The import reads the headings of both languages. Of a vendor that
 * exchanges bottles, one with a deposit and one without.
 */
export function importTemplate(lang: Lang, types: readonly OpeningType[]): string {
  const t = translatorFor(lang)
  const titles = customerColumns.map((column) => t(`customerFile.column.${column}`))
  if (types.length === 0) return csvOf([titles.join(','), ...samples[lang]])
  const bottles = t('customerFile.column.bottles')
  const ofTypes = types.map(({ name, nameAr }) => csvCell(`${bottles}: ${lang === 'ar' ? (nameAr ?? name) : name}`))
  const answers = [t('customerFile.deposit.yes'), t('customerFile.deposit.no')]
  return csvOf([
    [...titles, ...(types.length === 1 ? [bottles] : ofTypes), t('customerFile.column.depositPaid')].join(','),
    ...samples[lang].map((line, i) => [line, ...types.map((_, n) => (n === 0 ? 6 - 3 * i : 0)), answers[i]].join(',')),
  ])
}
