import { westernDigits } from '@qatra/contract/lib/digits'
import type { Lang } from '@qatra/contract/lib/lang'
import { addressText, customerName, fold, freeText, lineText } from '@qatra/contract/lib/text'
import { MOST_TAGS, tagText } from '@qatra/contract/users/customers'
import { type CustomerColumn, customerColumns } from '@qatra/contract/users/customers-import'
import type * as z from 'zod/mini'
import { yesOrNo } from '../../import/cells.ts'
import { type Columns, checked, type Refuse } from '../../import/columns.ts'
import { csvOf } from '../../lib/csv.ts'
import { translatorFor } from '../../lib/translate.ts'
import { type Phones, readPhonesCell } from './phone-cell.ts'

export const LONGEST_NOTE = 1000

export type CustomerCells = Record<Exclude<CustomerColumn, 'phone' | 'tags' | 'marketingConsent'>, string> & {
  phone: Phones
  tags: string[]
  marketingConsent: boolean
}

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

/** Files often have one column for the mobile and one for the phone at home. */
export const columns: Columns<CustomerCells> = {
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

/** Two sample customers, with headings in the language. The import reads the headings of both languages. */
export function importTemplate(lang: Lang): string {
  const t = translatorFor(lang)
  return csvOf([customerColumns.map((column) => t(`customerFile.column.${column}`)).join(','), ...samples[lang]])
}
