import { type BulkColumn, bulkColumns, requiredBulkFields } from '@qatra/contract/products-bulk'
import { fold } from '@qatra/contract/text'
import { FileProblem } from './problem.ts'

/** Accepted column headings besides the API's names. */
const spellings: Readonly<Record<BulkColumn, readonly string[]>> = {
  id: ['product id', 'product no', 'رقم المنتج'],
  vendorId: ['vendor', 'vendor no', 'رقم العلامة', 'العلامة', 'رقم المورد', 'المورد'],
  name: [
    'name en',
    'name english',
    'english name',
    'product',
    'product name',
    'الاسم بالإنجليزية',
    'الاسم',
    'اسم المنتج',
    'المنتج',
  ],
  price: ['price bhd', 'السعر', 'السعر د.ب', 'سعر'],
  size: ['volume', 'الحجم', 'السعة', 'المقاس'],
  imageUrl: ['image', 'picture', 'photo', 'picture address', 'الصورة', 'رابط الصورة', 'عنوان الصورة'],
  nameAr: ['name arabic', 'arabic name', 'الاسم بالعربية', 'الاسم العربي', 'الاسم بالعربي'],
  description: ['description en', 'description english', 'الوصف بالإنجليزية', 'الوصف'],
  descriptionAr: ['description arabic', 'arabic description', 'الوصف بالعربية', 'الوصف العربي', 'الوصف بالعربي'],
  vatPercentage: ['vat', 'vat percent', 'vat %', 'tax', 'الضريبة', 'نسبة الضريبة', 'ضريبة القيمة المضافة'],
  isActive: ['active', 'on sale', 'مفعل', 'فعال', 'نشط', 'معروض'],
  inventoryUnit: ['unit', 'الوحدة', 'وحدة التخزين', 'الوحدة بالإنجليزية'],
  inventoryUnitAr: ['unit arabic', 'arabic unit', 'الوحدة بالعربية', 'الوحدة بالعربي'],
  unitsPerInventoryUnit: [
    'units',
    'units per unit',
    'units per carton',
    'pieces',
    'العدد',
    'العدد في الوحدة',
    'عدد القطع',
  ],
}

const keyOf = (heading: string) => fold(heading).replace(/[^\p{L}\p{N}]/gu, '')
const fieldOf: ReadonlyMap<string, BulkColumn> = new Map(
  bulkColumns.flatMap((field) => [field, ...spellings[field]].map((text) => [keyOf(text), field] as const)),
)

/** Field of each column; null for unknown columns. @throws FileProblem for a repeated or missing column */
export function readHeading(cells: readonly string[]): (BulkColumn | null)[] {
  const fields = cells.map((cell) => fieldOf.get(keyOf(cell.slice(0, 100))) ?? null)
  const repeated = fields.find((field, i) => field !== null && fields.indexOf(field) !== i)
  if (repeated) throw new FileProblem('repeatedColumn', 0, repeated)
  const missing = requiredBulkFields.find((field) => !fields.includes(field))
  if (missing) throw new FileProblem('missingColumn', 0, missing)
  return fields
}
