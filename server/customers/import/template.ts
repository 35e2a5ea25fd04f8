import type { Lang } from '@qatra/contract/lib/lang'
import { customerColumns } from '@qatra/contract/users/customers-import'
import { csvLine } from '../../lib/csv.ts'
import { translatorFor } from '../../lib/translate.ts'

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
