import type { CustomerColumn } from '@qatra/contract/users/customers-import'
import { headingReader } from '../../lib/table-file/heading.ts'

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
  ],
  name: ['customer', 'customer name', 'full name', 'الاسم', 'اسم العميل', 'العميل', 'اسم الزبون', 'الزبون'],
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

export const readHeading = headingReader(spellings, ['phone'])
