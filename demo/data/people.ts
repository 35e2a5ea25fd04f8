import type { Coordinates } from '@qatra/contract/places/geo'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { Role } from '@qatra/contract/users/roles'

export interface SeedPerson {
  phone: string
  name: string
  role: Role
  vendorId: number | null
  address: SeedAddress | null
}

export interface SeedAddress {
  address: string
  addressParts: AddressParts
  coordinates: Coordinates
  /** Code of the area the coordinates lie in */
  areaId: string
  instructions: string
}

/** Address of the demo customer, in Seef. */
export const customerAddress: SeedAddress = {
  address: 'مجمع 428، طريق 2831، مبنى 1172، شقة 34، السيف',
  addressParts: { block: '428', road: '2831', building: '1172', flat: '34' },
  coordinates: { lat: 26.2378, lng: 50.5402 },
  areaId: 'seef',
  instructions: 'المدخل الخلفي، الرجاء الاتصال عند الوصول.',
}

export const customerPhone = '+97336000006'

/** Invented people. The first seven are the demo sign-ins: one of each role and the admin of another vendor. */
export const people: readonly SeedPerson[] = [
  person('01', 'خالد الأنصاري', 'super_admin'),
  person('02', 'سارة المناعي', 'vendor_admin', 1),
  person('03', 'فاطمة العلوي', 'vendor_staff', 1),
  person('04', 'يوسف البنعلي', 'vendor_sales', 1),
  person('05', 'راشد السليطي', 'driver', 1),
  { phone: customerPhone, name: 'نورة الدوسري', role: 'customer', vendorId: null, address: customerAddress },
  person('12', 'حسن المدني', 'vendor_admin', 2),
  person('13', 'علي مرهون', 'driver', 1),
  person('14', 'جاسم الكواري', 'driver', 2),
  person('15', 'هدى الشيخ', 'vendor_admin', 3),
  person('16', 'محمود سلمان', 'driver', 3),
  person('17', 'عائشة الحمادي', 'vendor_staff', 4),
  person('18', 'بلال حسين', 'driver', 1),
]

function person(ending: string, name: string, role: Role, vendorId: number | null = null): SeedPerson {
  return { phone: `+973360000${ending}`, name, role, vendorId, address: null }
}
