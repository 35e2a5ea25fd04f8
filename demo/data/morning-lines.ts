import type { OrderStatus } from '@qatra/contract/orders/order-status'

/** Orders of the first two vendors. An item is a letter for the product, a quantity and how many come with a new bottle. */
export interface MorningLine {
  vendorId: 1 | 2
  /** HH:MM */
  time: string
  /** Placed on the day itself; otherwise on the day whose orders are delivered on it. */
  isToday: boolean
  areaId: string
  name: string
  items: string
  /** Status reached in the morning. */
  status: OrderStatus
  driver: string | null
  /** From the customer for the driver. */
  instructions?: string
  /** Internal note. */
  note?: string
  /** Sales agent who took the order by phone. */
  agent?: string
  /** Payment method, recorded by staff. */
  paidBy?: 'bank_transfer' | 'card'
  /** A delivery attempt failed. */
  isAttempted?: true
  /** Who cancelled it, with the reason. */
  cancelled?: { by: 'customer' | 'staff'; reason: string }
}

type More = Partial<Pick<MorningLine, 'instructions' | 'note' | 'agent' | 'paidBy' | 'isAttempted' | 'cancelled'>>
type Row = [time: string, areaId: string, name: string, items: string, driver?: string | null, more?: More]

const [rashid, ali, bilal, jasim] = ['+97336000005', '+97336000013', '+97336000018', '+97336000014']
const agent = '+97336000004'

const rows = (about: Pick<MorningLine, 'status'> & Partial<MorningLine>, list: readonly Row[]): MorningLine[] =>
  list.map(([time, areaId, name, items, driver = null, more]) => ({
    vendorId: 1,
    isToday: false,
    time,
    areaId,
    name,
    items,
    driver,
    ...about,
    ...more,
  }))

/** Invented people. With the orders on the drivers' runs, a morning has about sixty orders. */
export const morningLines: readonly MorningLine[] = [
  ...rows({ status: 'delivered' }, [
    ['06:52', 'hamad-town', 'بدر الشروقي', 'g6 s2', bilal],
    ['07:20', 'hamad-town', 'أمينة المطوع', 't4', bilal, { instructions: 'باب الكراج مفتوح.' }],
    ['07:48', 'aali', 'حسين الحايكي', 'g8 l2', bilal],
    ['08:05', 'west-riffa', 'Maria Fernandes', 's4', bilal, { instructions: 'Please ring the side bell.' }],
    ['08:31', 'east-riffa', 'خليفة البوفلاسة', 'g10', bilal],
    ['09:02', 'isa-town', 'رقية العصفور', 'm3 k1', bilal],
    ['09:14', 'hidd', 'يعقوب الجلاهمة', 'g7', ali],
    ['09:40', 'arad', 'شيخة المسلم', 's3 l2', ali],
    ['10:03', 'busaiteen', 'James Whitfield', 'a3 z1', ali, { paidBy: 'card' }],
    ['10:25', 'muharraq', 'عيسى بوعلاي', 'g9', ali],
    ['10:57', 'amwaj', 'Priya Nair', 'l6 m2', ali, { instructions: 'Tower B, leave with the guard.' }],
    ['11:18', 'zinj', 'معصومة الخباز', 'g5 s1', rashid],
    ['11:36', 'salmaniya', 'مدرسة النخيل الأهلية', 't10 k4', rashid, { agent, paidBy: 'bank_transfer' }],
  ]),
  ...rows({ status: 'shipped' }, [
    ['11:52', 'sitra', 'علي الستري', 'g12', bilal],
    ['12:10', 'nuwaidrat', 'صادق المرزوق', 's5 t2', bilal],
    ['12:31', 'tubli', 'زهراء الموسوي', 'g4 m2', bilal, { isAttempted: true }],
    ['12:44', 'jid-ali', 'Anil Kumar', 'g7 s2', bilal],
    ['13:05', 'sanad', 'فضيلة مكي', 'l4 s2', bilal, { note: 'طلبت الاتصال قبل الوصول، الرقم الثاني عند المكتب.' }],
    ['13:22', 'galali', 'مبارك الرميحي', 'g6 l2', ali],
    ['13:47', 'samaheej', 'جميلة الغسرة', 's4', ali],
    ['14:09', 'diyar-al-muharraq', 'Grace Santos', 'm4', ali, { instructions: 'Gate code 4412.' }],
    ['14:30', 'hoora', 'مقهى الفنار', 't8 s6', ali, { agent }],
    ['14:52', 'um-al-hassam', 'نوف الزياني', 'a2 w2', ali],
  ]),
  ...rows({ status: 'in-progress' }, [
    ['15:06', 'juffair', 'Tom Bradley', 'l8', ali],
    ['15:19', 'adliya', 'مطعم الدانة', 's10 t6', ali, { agent, note: 'يستلمون من الباب الخلفي قبل الحادية عشرة.' }],
    ['15:33', 'mahooz', 'سمية فولاذ', 'g7', ali],
    ['15:58', 'gudaibiya', 'Rekha Menon', 's2 m2'],
    ['16:12', 'bilad-al-qadeem', 'مهدي الصفار', 'g8', rashid],
    ['16:24', 'burhama', 'نعيمة الشهابي', 'k3 t2', rashid],
    ['16:41', 'daih', 'جعفر العالي', 'g6 s1', rashid],
    ['19:12', 'karbabad', 'بتول الخواجة', 'w3', rashid],
    ['19:26', 'barbar', 'سيد محمد العلوي', 'g10 l2'],
    ['19:43', 'diraz', 'حوراء الدرازي', 's4 k1'],
    ['20:01', 'bani-jamra', 'عبدالنبي الجمري', 'g7'],
    ['20:17', 'maqabah', 'Sarah Thompson', 'z2 a1', null, { instructions: 'Dog in the garden, please call first.' }],
    ['20:38', 'hamala', 'فيصل الشيخ', 'g8n2', null, { note: 'قارورتان جديدتان، تأكدوا من وجودهما في السيارة.' }],
    ['20:55', 'jasra', 'منيرة الخاطر', 'l6'],
  ]),
  ...rows({ status: 'new' }, [
    ['21:08', 'malkiya', 'سلوى الملا', 'g7 s2'],
    ['21:24', 'zallaq', 'راشد الدوسري', 'g10', null, { instructions: 'الفيلا الأخيرة على البحر.' }],
    ['21:39', 'awali', 'Peter Hughes', 'l4 s2'],
    ['22:02', 'salmabad', 'ورشة الأفق', 'g15', null, { agent }],
    ['22:20', 'buri', 'إيمان البوري', 'm4'],
    ['22:41', 'karrana', 'حبيب الكراني', 's4', null, { instructions: 'الرجاء عدم قرع الجرس، الطفل نائم.' }],
    ['23:05', 'abu-saiba', 'Liza Mendoza', 'g5 k1'],
    ['23:27', 'shakhoora', 'قاسم الفردان', 'g8'],
    ['23:48', 'eker', 'دلال العكري', 't2 s2'],
  ]),
  ...rows({ status: 'cancelled' }, [
    ['10:11', 'manama', 'Joseph Mathew', 's4', null, { cancelled: { by: 'customer', reason: 'Ordered twice.' } }],
    ['12:19', 'seef', 'لولوة الكوهجي', 'z2', null, { cancelled: { by: 'customer', reason: 'أسافر اليوم.' } }],
    ['18:33', 'sehla', 'كريم السهلاوي', 'g7', null, { cancelled: { by: 'staff', reason: 'لا يرد على الهاتف.' } }],
  ]),
  ...rows({ status: 'new', isToday: true }, [
    ['06:34', 'hajiyat', 'عائشة بوحجي', 'g6 s1'],
    ['07:02', 'nabih-saleh', 'سعاد القيدوم', 's4'],
    ['07:29', 'riffa-views', 'Emily Carter', 'a3', null, { instructions: 'Gate 2, villa by the lake.' }],
    ['07:51', 'diplomatic-area', 'مكتب الميزان', 't6 m2', null, { agent }],
    ['08:07', 'janabiya', 'طلال المحميد', 'g9'],
    ['08:22', 'saar', 'Ravi Shetty', 'l6'],
    ['08:40', 'muharraq', 'غادة العمادي', 'k2 s2'],
  ]),
  ...rows({ status: 'delivered', vendorId: 2 }, [
    ['08:15', 'manama', 'عبدالرحمن فخرو', 'g5', jasim],
    ['09:33', 'gudaibiya', 'Mary Dsouza', 's4', jasim],
  ]),
  ...rows({ status: 'shipped', vendorId: 2 }, [
    ['11:05', 'hoora', 'فوزية الصالح', 'l5', jasim],
    ['13:40', 'segaya', 'جاسم الحربان', 'g6', jasim, { instructions: 'الدور الثاني، المصعد معطل.' }],
    ['15:12', 'zinj', 'وفاء الأنصاري', 'm3', jasim],
  ]),
  ...rows({ status: 'in-progress', vendorId: 2 }, [
    ['17:21', 'tubli', 'هاني رضا', 'g4 s2'],
    ['18:50', 'aali', 'خلود العريفي', 's4'],
  ]),
  ...rows({ status: 'new', vendorId: 2 }, [
    ['20:30', 'hidd', 'أحمد المناعي', 'g7'],
    ['22:15', 'seef', 'Nadia Rahman', 'z2'],
  ]),
  ...rows({ status: 'new', vendorId: 2, isToday: true }, [['07:44', 'busaiteen', 'سبيكة الجودر', 'l4 m1']]),
]
