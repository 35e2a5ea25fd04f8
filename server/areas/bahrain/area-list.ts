import type { Position } from '@qatra/contract/places/geo'

export interface AreaFacts {
  /** The area's code outside this system. */
  areaId: string
  name: string
  nameAr: string
  /** Longitude, latitude; inside the area. */
  centre: Position
  /** Further points of a long or scattered area: land nearest to any of them belongs to it. */
  also: readonly Position[]
}

/** Origin of the outlines in areas.json. */
export const areasSource = {
  date: '2026-11-21',
  source:
    'Approximate outlines: the coast of Bahrain, divided by the nearest centre of each town. They are not official borders',
  sourceAr: 'حدود تقريبية: ساحل البحرين مقسّمًا على أقرب مركز لكل منطقة، وليست الحدود الرسمية',
} as const

/** Bahrain's towns and districts with the coordinates of their centres. */
export const areaList: readonly AreaFacts[] = [
  // Manama
  area('manama', 'Manama', 'المنامة', [50.5765, 26.231]),
  area('diplomatic-area', 'Diplomatic Area', 'المنطقة الدبلوماسية', [50.5895, 26.2395]),
  area('bahrain-bay', 'Bahrain Bay', 'خليج البحرين', [50.5835, 26.2462]),
  area('ras-rumman', 'Ras Rumman', 'رأس رمان', [50.585, 26.2352]),
  area('hoora', 'Hoora', 'الحورة', [50.5925, 26.2325]),
  area('gudaibiya', 'Gudaibiya', 'القضيبية', [50.5885, 26.224]),
  area('naim', 'Naim', 'النعيم', [50.5675, 26.2305]),
  area('reef-island', 'Reef Island', 'جزيرة الريف', [50.567, 26.2455]),
  area('salmaniya', 'Salmaniya', 'السلمانية', [50.571, 26.2185]),
  area('segaya', 'Segaya', 'السقية', [50.579, 26.2135]),
  area('adliya', 'Adliya', 'العدلية', [50.5885, 26.2145]),
  area('juffair', 'Juffair', 'الجفير', [50.605, 26.2155]),
  area('mina-salman', 'Mina Salman', 'ميناء سلمان', [50.614, 26.203]),
  area('mahooz', 'Mahooz', 'الماحوز', [50.586, 26.2055]),
  area('um-al-hassam', 'Um Al Hassam', 'أم الحصم', [50.5925, 26.1995]),
  area('zinj', 'Zinj', 'الزنج', [50.5675, 26.2055]),
  area('bilad-al-qadeem', 'Bilad Al Qadeem', 'بلاد القديم', [50.556, 26.2065]),
  area('burhama', 'Burhama', 'البرهامة', [50.556, 26.2205]),
  area('nabih-saleh', 'Nabih Saleh', 'النبيه صالح', [50.5862, 26.1828]),
  // Jidhafs and the north coast
  area('seef', 'Seef', 'السيف', [50.5385, 26.239], [50.535, 26.234], [50.551, 26.2355]),
  area('sanabis', 'Sanabis', 'السنابس', [50.551, 26.2285]),
  area('daih', 'Al Daih', 'الديه', [50.5435, 26.225]),
  area('jidhafs', 'Jidhafs', 'جدحفص', [50.5478, 26.2186]),
  area('tashan', 'Tashan', 'طشان', [50.5445, 26.2125]),
  area('karbabad', 'Karbabad', 'كرباباد', [50.5275, 26.2315]),
  area('jeblat-hebshi', 'Jeblat Hebshi', 'جبلة حبشي', [50.5285, 26.2125]),
  area('sehla', 'Sehla', 'السهلة', [50.535, 26.2015]),
  area('qala', 'Al Qala', 'القلعة', [50.5205, 26.2285]),
  area('hillat-abdul-saleh', 'Hillat Abdul Saleh', 'حلة عبدالصالح', [50.5162, 26.2222]),
  area('abu-saiba', 'Abu Saiba', 'أبو صيبع', [50.5055, 26.2165]),
  area('shakhoora', 'Shakhoora', 'الشاخورة', [50.506, 26.2095]),
  area('karrana', 'Karrana', 'كرانة', [50.51, 26.2305]),
  area('bu-quwah', 'Bu Quwah', 'بوقوة', [50.505, 26.1985]),
  area('jannusan', 'Jannusan', 'جنوسان', [50.4995, 26.2325]),
  area('barbar', 'Barbar', 'باربار', [50.4865, 26.2265]),
  area('diraz', 'Diraz', 'الدراز', [50.4735, 26.2195]),
  area('bani-jamra', 'Bani Jamra', 'بني جمرة', [50.4635, 26.2115]),
  area('markh', 'Al Markh', 'المرخ', [50.4765, 26.2085]),
  area('maqabah', 'Maqabah', 'مقابة', [50.4905, 26.2085]),
  area('saar', 'Saar', 'سار', [50.4825, 26.1945]),
  area('budaiya', 'Budaiya', 'البديع', [50.4515, 26.2125]),
  area('qurayya', 'Al Qurayya', 'القرية', [50.4565, 26.201]),
  area('janabiya', 'Janabiya', 'الجنبية', [50.466, 26.1855]),
  area(
    'salman-city',
    'Salman City',
    'مدينة سلمان',
    [50.476, 26.2455],
    [50.4585, 26.239],
    [50.494, 26.249],
    [50.511, 26.248],
  ),
  // The west coast
  area('jasra', 'Jasra', 'الجسرة', [50.459, 26.1695]),
  area('hamala', 'Hamala', 'الهملة', [50.4665, 26.1535]),
  area('damistan', 'Damistan', 'دمستان', [50.4745, 26.1315]),
  area('karzakan', 'Karzakan', 'كرزكان', [50.4805, 26.114]),
  area('malkiya', 'Malkiya', 'المالكية', [50.4855, 26.0965]),
  area('shahrakan', 'Shahrakan', 'شهركان', [50.493, 26.075]),
  area('dar-kulaib', 'Dar Kulaib', 'دار كليب', [50.504, 26.0685]),
  area('zallaq', 'Zallaq', 'الزلاق', [50.4895, 26.048]),
  area('al-areen', 'Al Areen', 'العرين', [50.492, 26.0165]),
  area('sakhir', 'Sakhir', 'الصخير', [50.515, 26.035]),
  area('bilaj-al-jazayer', 'Bilaj Al Jazayer', 'بلاج الجزائر', [50.475, 25.978]),
  area('umm-an-nasan', 'Umm an Nasan', 'أم النعسان', [50.404, 26.15], [50.407, 26.195]),
  // The middle of the main island
  area('tubli', 'Tubli', 'توبلي', [50.5555, 26.19]),
  area('salmabad', 'Salmabad', 'سلماباد', [50.525, 26.1835]),
  area('jid-ali', 'Jid Ali', 'جد علي', [50.5625, 26.178]),
  area('jurdab', 'Jurdab', 'جرداب', [50.568, 26.168]),
  area('sanad', 'Sanad', 'سند', [50.578, 26.153]),
  area('isa-town', 'Isa Town', 'مدينة عيسى', [50.5478, 26.1736], [50.5445, 26.165]),
  area('zayed-town', 'Zayed Town', 'مدينة زايد', [50.545, 26.153]),
  area('aali', "A'ali", 'عالي', [50.5245, 26.1565]),
  area('buri', 'Buri', 'بوري', [50.502, 26.1535]),
  area('bu-kowara', 'Bu Kowara', 'بوكوارة', [50.572, 26.1395]),
  area('east-riffa', 'East Riffa', 'الرفاع الشرقي', [50.571, 26.1255]),
  area('west-riffa', 'West Riffa', 'الرفاع الغربي', [50.5425, 26.1255], [50.55, 26.115]),
  area('hajiyat', 'Hajiyat', 'الحجيات', [50.5855, 26.1185]),
  area('riffa-views', 'Riffa Views', 'رفاع فيوز', [50.568, 26.101]),
  area('awali', 'Awali', 'عوالي', [50.547, 26.087]),
  area('hamad-town', 'Hamad Town', 'مدينة حمد', [50.506, 26.117], [50.5, 26.136], [50.51, 26.098]),
  area('nuwaidrat', 'Nuwaidrat', 'النويدرات', [50.593, 26.1325]),
  area('eker', 'Eker', 'العكر', [50.5985, 26.146]),
  area('maameer', "Ma'ameer", 'المعامير', [50.607, 26.1345]),
  // Sitra and the east coast
  area('sitra', 'Sitra', 'سترة', [50.6185, 26.157], [50.612, 26.172], [50.627, 26.141]),
  area('east-sitra', 'East Sitra', 'شرق سترة', [50.644, 26.163], [50.64, 26.135]),
  area('askar', 'Askar', 'عسكر', [50.617, 26.057]),
  area('jaw', 'Jaw', 'جو', [50.6145, 25.999]),
  area('al-dur', 'Al Dur', 'الدور', [50.6085, 25.9675]),
  area('jebel-dukhan', 'Jebel Al Dukhan', 'جبل الدخان', [50.548, 26.04]),
  area('rumaitha', 'Al Rumaitha', 'الرميثة', [50.56, 25.915]),
  area('durrat-al-bahrain', 'Durrat Al Bahrain', 'درة البحرين', [50.59, 25.848]),
  // Muharraq and the islands around it
  area('muharraq', 'Muharraq', 'المحرق', [50.614, 26.2535], [50.628, 26.265]),
  area('busaiteen', 'Busaiteen', 'البسيتين', [50.6005, 26.2695]),
  area('dair', 'Al Dair', 'الدير', [50.6225, 26.2835]),
  area('samaheej', 'Samaheej', 'سماهيج', [50.6365, 26.282]),
  area('galali', 'Galali', 'قلالي', [50.6495, 26.273]),
  area('arad', 'Arad', 'عراد', [50.6315, 26.251]),
  area('hidd', 'Hidd', 'الحد', [50.654, 26.2455]),
  area('hidd-industrial', 'Salman Industrial City', 'مدينة سلمان الصناعية', [50.676, 26.2165]),
  area('diyar-al-muharraq', 'Diyar Al Muharraq', 'ديار المحرق', [50.612, 26.307]),
  area('amwaj', 'Amwaj Islands', 'جزر أمواج', [50.6635, 26.29]),
  area('dilmunia', 'Dilmunia', 'دلمونيا', [50.67, 26.267]),
]

function area(areaId: string, name: string, nameAr: string, centre: Position, ...also: Position[]): AreaFacts {
  return { areaId, name, nameAr, centre, also }
}
