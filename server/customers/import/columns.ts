import type { Lang } from '@qatra/contract/lib/lang'
import { type CustomerColumn, customerColumns } from '@qatra/contract/users/customers-import'
import { csvLine } from '../../lib/csv.ts'
import { headingReader } from '../../lib/table-file/heading.ts'
import { translatorFor } from '../../lib/translate.ts'

/** Accepted column headings besides the API's names. */
const spellings: Readonly<Record<CustomerColumn, readonly string[]>> = {
  phone: [
    'phone number',
    'mobile',
    'mobile number',
    'telephone',
    'tel',
    'whatsapp',
    'الهاتف',
    'رقم الهاتف',
    'الجوال',
    'رقم الجوال',
    'الموبايل',
    'النقال',
    'رقم النقال',
    'واتساب',
    'هاتف',
    'التلفون',
    'رقم التلفون',
    'رقم الموبايل',
    'contact',
    'contact number',
    'contact no',
    'phone no',
    'mobile no',
    'tel no',
  ],
  name: [
    'customer',
    'customer name',
    'client',
    'client name',
    'full name',
    'الاسم',
    'الاسم الكامل',
    'اسم العميل',
    'العميل',
    'اسم الزبون',
    'الزبون',
  ],
  area: ['district', 'city', 'region', 'المنطقة', 'الحي', 'المدينة'],
  block: ['block no', 'block number', 'مجمع', 'المجمع', 'رقم المجمع'],
  road: ['street', 'road no', 'road number', 'طريق', 'الطريق', 'رقم الطريق', 'الشارع'],
  building: [
    'house',
    'house no',
    'building no',
    'villa',
    'مبنى',
    'المبنى',
    'رقم المبنى',
    'المنزل',
    'رقم المنزل',
    'بيت',
  ],
  flat: ['apartment', 'flat no', 'unit', 'شقة', 'الشقة', 'رقم الشقة'],
  address: ['full address', 'العنوان', 'العنوان الكامل'],
  tags: ['tag', 'labels', 'الوسوم', 'وسم', 'التصنيف'],
  notes: ['note', 'remarks', 'comments', 'الملاحظات', 'ملاحظات', 'ملاحظة'],
  marketingConsent: [
    'consent',
    'marketing',
    'agreed to offers',
    'وافق على العروض',
    'الموافقة على العروض',
    'موافقة التسويق',
    'العروض',
  ],
  consentSource: ['source of consent', 'how they agreed', 'مصدر الموافقة', 'كيف وافق'],
}

/** Files often have one column for the mobile and one for the phone at home. */
export const heading = headingReader(spellings, { required: [['phone']], several: ['phone', 'notes'] })

/** Byte order mark, for spreadsheets that otherwise misread Arabic. */
const BOM = '\ufeff'

/** In the order of the columns. */
const samples: Readonly<Record<Lang, readonly (readonly string[])[]>> = {
  ar: [
    [
      '36001234',
      'مريم علي',
      'السيف',
      '428',
      '2831',
      '1172',
      '34',
      '',
      'شهري؛ مكتب',
      'المدخل من الخلف',
      'نعم',
      'نموذج ورقي في معرض الربيع 2025',
    ],
    ['39005678', 'يوسف حسن', '', '', '', '', '', 'مبنى 12، طريق 34، المنامة', '', '', 'لا', ''],
  ],
  en: [
    [
      '36001234',
      'Maryam Ali',
      'Seef',
      '428',
      '2831',
      '1172',
      '34',
      '',
      'monthly; office',
      'Entrance at the back',
      'yes',
      'Paper form at the spring fair 2025',
    ],
    ['39005678', 'Yusuf Hasan', '', '', '', '', '', 'Building 12, Road 34, Manama', '', '', 'no', ''],
  ],
}

/** Two sample customers, with headings in the language. The import reads the headings of both languages. */
export function importTemplate(lang: Lang): string {
  const t = translatorFor(lang)
  const heading = customerColumns.map((column) => t(`customerFile.column.${column}`))
  return BOM + [heading, ...samples[lang]].map(csvLine).join('')
}
