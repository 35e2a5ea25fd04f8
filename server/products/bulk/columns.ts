import { type BulkColumn, requiredBulkFields } from '@qatra/contract/products/bulk'
import { headingReader } from '../../lib/table-file/heading.ts'

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

export const readHeading = headingReader(spellings, requiredBulkFields)
