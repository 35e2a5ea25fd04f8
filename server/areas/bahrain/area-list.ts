import type { Position } from '@qatra/contract/geo'

/** A block number, or the first and last of a range. */
type Blocks = readonly (number | readonly [first: number, last: number])[]

export interface AreaFacts {
  /** The area's code outside this system. */
  areaId: string
  name: string
  nameAr: string
  /** Longitude, latitude; inside the area. */
  centre: Position
  /** Further points of a long or scattered area: land nearest to any of them belongs to it. */
  also: readonly Position[]
  blocks: readonly number[]
}

/**
 * Bahrain's towns and districts with the coordinates of their centres. Block numbers follow the country's hundreds
 * (Hidd 1xx, Muharraq 2xx, Manama 3xx, …); within a hundred they are demo data, not the land survey's register.
 */
export const areaList: readonly AreaFacts[] = [
  // Manama
  area('manama', 'Manama', 'المنامة', [50.5765, 26.231], [301, 302, 303, 304, 305, 309, 310, 315]),
  area('diplomatic-area', 'Diplomatic Area', 'المنطقة الدبلوماسية', [50.5895, 26.2395], [316, 317]),
  area('bahrain-bay', 'Bahrain Bay', 'خليج البحرين', [50.5835, 26.2462], [346]),
  area('ras-rumman', 'Ras Rumman', 'رأس رمان', [50.585, 26.2352], [306, 307, 308]),
  area('hoora', 'Hoora', 'الحورة', [50.5925, 26.2325], [318, 319, 320]),
  area('gudaibiya', 'Gudaibiya', 'القضيبية', [50.5885, 26.224], [321, 325, 326]),
  area('naim', 'Naim', 'النعيم', [50.5675, 26.2305], [311, 312, 313, 314]),
  area('reef-island', 'Reef Island', 'جزيرة الريف', [50.567, 26.2455], [410]),
  area('salmaniya', 'Salmaniya', 'السلمانية', [50.571, 26.2185], [328, 329, 330]),
  area('segaya', 'Segaya', 'السقية', [50.579, 26.2135], [331]),
  area('adliya', 'Adliya', 'العدلية', [50.5885, 26.2145], [327, 338]),
  area('juffair', 'Juffair', 'الجفير', [50.605, 26.2155], [324, 340, 341, 342]),
  area('mina-salman', 'Mina Salman', 'ميناء سلمان', [50.614, 26.203], [343, 345]),
  area('mahooz', 'Mahooz', 'الماحوز', [50.586, 26.2055], [332, 333, 334]),
  area('um-al-hassam', 'Um Al Hassam', 'أم الحصم', [50.5925, 26.1995], [335, 336, 337, 339]),
  area('zinj', 'Zinj', 'الزنج', [50.5675, 26.2055], [356, 357, 358, 359]),
  area('bilad-al-qadeem', 'Bilad Al Qadeem', 'بلاد القديم', [50.556, 26.2065], [[360, 367]]),
  area('burhama', 'Burhama', 'البرهامة', [50.556, 26.2205], [[350, 355]]),
  area('nabih-saleh', 'Nabih Saleh', 'النبيه صالح', [50.5862, 26.1828], [380, 381, 382, 384, 385]),
  // Jidhafs and the north coast
  area('seef', 'Seef', 'السيف', [50.5385, 26.239], [428, 436], [50.535, 26.234], [50.551, 26.2355]),
  area('sanabis', 'Sanabis', 'السنابس', [50.551, 26.2285], [402, 404, 405, 406, 408]),
  area('daih', 'Al Daih', 'الديه', [50.5435, 26.225], [414, 416, 418, 419, 420]),
  area('jidhafs', 'Jidhafs', 'جدحفص', [50.5478, 26.2186], [[421, 427]]),
  area('tashan', 'Tashan', 'طشان', [50.5445, 26.2125], [407, 409, 411, 413, 415]),
  area('karbabad', 'Karbabad', 'كرباباد', [50.5275, 26.2315], [430, 432, 434]),
  area('jeblat-hebshi', 'Jeblat Hebshi', 'جبلة حبشي', [50.5285, 26.2125], [431, 433, 435]),
  area('sehla', 'Sehla', 'السهلة', [50.535, 26.2015], [369, 371, 373, 437, 439, 441, 443]),
  area('qala', 'Al Qala', 'القلعة', [50.5205, 26.2285], [438, 440]),
  area('hillat-abdul-saleh', 'Hillat Abdul Saleh', 'حلة عبدالصالح', [50.5162, 26.2222], [442, 444, 445, 446, 447, 449]),
  area('abu-saiba', 'Abu Saiba', 'أبو صيبع', [50.5055, 26.2165], [453, 455, 457, 471, 473]),
  area('shakhoora', 'Shakhoora', 'الشاخورة', [50.506, 26.2095], [475, 477, 479, 481]),
  area('karrana', 'Karrana', 'كرانة', [50.51, 26.2305], [450, 452, 454, 456, 458]),
  area('bu-quwah', 'Bu Quwah', 'بوقوة', [50.505, 26.1985], [459, 461, 463, 465, 467, 469]),
  area('jannusan', 'Jannusan', 'جنوسان', [50.4995, 26.2325], [502, 504, 506]),
  area('barbar', 'Barbar', 'باربار', [50.4865, 26.2265], [514, 516, 518, 520, 522, 524, 526, 528]),
  area('diraz', 'Diraz', 'الدراز', [50.4735, 26.2195], [530, 532, 534, 536, 538, 540, 542, 544]),
  area('bani-jamra', 'Bani Jamra', 'بني جمرة', [50.4635, 26.2115], [537, 539, 541, 543]),
  area('markh', 'Al Markh', 'المرخ', [50.4765, 26.2085], [531, 533, 535]),
  area('maqabah', 'Maqabah', 'مقابة', [50.4905, 26.2085], [505, 507, 509, 511]),
  area('saar', 'Saar', 'سار', [50.4825, 26.1945], [513, 515, 517, 519, 521, 523, 525, 527, 529]),
  area('budaiya', 'Budaiya', 'البديع', [50.4515, 26.2125], [[550, 557]]),
  area('qurayya', 'Al Qurayya', 'القرية', [50.4565, 26.201], [559, 561]),
  area('janabiya', 'Janabiya', 'الجنبية', [50.466, 26.1855], [565, 567, 569, 571, 573, 575, 577, 579]),
  area(
    'salman-city',
    'Salman City',
    'مدينة سلمان',
    [50.476, 26.2455],
    [[581, 589]],
    [50.4585, 26.239],
    [50.494, 26.249],
    [50.511, 26.248],
  ),
  // The west coast
  area('jasra', 'Jasra', 'الجسرة', [50.459, 26.1695], [[1001, 1004]]),
  area('hamala', 'Hamala', 'الهملة', [50.4665, 26.1535], [1006, 1008, 1010, 1012, 1014]),
  area('damistan', 'Damistan', 'دمستان', [50.4745, 26.1315], [1016, 1017, 1018, 1019]),
  area('karzakan', 'Karzakan', 'كرزكان', [50.4805, 26.114], [[1025, 1028]]),
  area('malkiya', 'Malkiya', 'المالكية', [50.4855, 26.0965], [1032, 1033, 1034]),
  area('shahrakan', 'Shahrakan', 'شهركان', [50.493, 26.075], [1037, 1038, 1041, 1042, 1044]),
  area('dar-kulaib', 'Dar Kulaib', 'دار كليب', [50.504, 26.0685], [1046, 1047, 1048]),
  area('zallaq', 'Zallaq', 'الزلاق', [50.4895, 26.048], [1051, 1052, 1053, 1055, 1056, 1057]),
  area('al-areen', 'Al Areen', 'العرين', [50.492, 26.0165], [1062]),
  area('sakhir', 'Sakhir', 'الصخير', [50.515, 26.035], [1054, 1058, 1063, 1067]),
  area('bilaj-al-jazayer', 'Bilaj Al Jazayer', 'بلاج الجزائر', [50.475, 25.978], [1070]),
  area('umm-an-nasan', 'Umm an Nasan', 'أم النعسان', [50.404, 26.15], [1099], [50.407, 26.195]),
  // The middle of the main island
  area('tubli', 'Tubli', 'توبلي', [50.5555, 26.19], [701, 703, 711, 713, 715]),
  area('salmabad', 'Salmabad', 'سلماباد', [50.525, 26.1835], [702, 704, 706, 708]),
  area('jid-ali', 'Jid Ali', 'جد علي', [50.5625, 26.178], [721, 723]),
  area('jurdab', 'Jurdab', 'جرداب', [50.568, 26.168], [725, 727, 729]),
  area('sanad', 'Sanad', 'سند', [50.578, 26.153], [741, 743, 745]),
  area('isa-town', 'Isa Town', 'مدينة عيسى', [50.5478, 26.1736], [[801, 816], 840], [50.5445, 26.165]),
  area('zayed-town', 'Zayed Town', 'مدينة زايد', [50.545, 26.153], [717, 718, 719, 720]),
  area('aali', "A'ali", 'عالي', [50.5245, 26.1565], [730, 732, 734, 736, 738, 740, 742, 744, 746, 748]),
  area('buri', 'Buri', 'بوري', [50.502, 26.1535], [752, 754, 756, 758]),
  area('bu-kowara', 'Bu Kowara', 'بوكوارة', [50.572, 26.1395], [921, 923, 925, 927]),
  area('east-riffa', 'East Riffa', 'الرفاع الشرقي', [50.571, 26.1255], [[901, 909]]),
  area('west-riffa', 'West Riffa', 'الرفاع الغربي', [50.5425, 26.1255], [910, 912, 914, 916, 918], [50.55, 26.115]),
  area('hajiyat', 'Hajiyat', 'الحجيات', [50.5855, 26.1185], [929, 931, 933, 935, 939]),
  area('riffa-views', 'Riffa Views', 'رفاع فيوز', [50.568, 26.101], [943, 944, 945]),
  area('awali', 'Awali', 'عوالي', [50.547, 26.087], [946, 948]),
  area('hamad-town', 'Hamad Town', 'مدينة حمد', [50.506, 26.117], [[1203, 1218]], [50.5, 26.136], [50.51, 26.098]),
  area('nuwaidrat', 'Nuwaidrat', 'النويدرات', [50.593, 26.1325], [641, 643, 644, 645, 646]),
  area('eker', 'Eker', 'العكر', [50.5985, 26.146], [622, 623, 624, 625, 626]),
  area('maameer', "Ma'ameer", 'المعامير', [50.607, 26.1345], [633, 634, 635, 636]),
  // Sitra and the east coast
  area('sitra', 'Sitra', 'سترة', [50.6185, 26.157], [[601, 612]], [50.612, 26.172], [50.627, 26.141]),
  area('east-sitra', 'East Sitra', 'شرق سترة', [50.644, 26.163], [617, 618, 619], [50.64, 26.135]),
  area('askar', 'Askar', 'عسكر', [50.617, 26.057], [[951, 955]]),
  area('jaw', 'Jaw', 'جو', [50.6145, 25.999], [960, 962, 964]),
  area('al-dur', 'Al Dur', 'الدور', [50.6085, 25.9675], [966, 968, 970]),
  area('jebel-dukhan', 'Jebel Al Dukhan', 'جبل الدخان', [50.548, 26.04], [982]),
  area('rumaitha', 'Al Rumaitha', 'الرميثة', [50.56, 25.915], [985]),
  area('durrat-al-bahrain', 'Durrat Al Bahrain', 'درة البحرين', [50.59, 25.848], [999]),
  // Muharraq and the islands around it
  area('muharraq', 'Muharraq', 'المحرق', [50.614, 26.2535], [[203, 218]], [50.628, 26.265]),
  area('busaiteen', 'Busaiteen', 'البسيتين', [50.6005, 26.2695], [[221, 228]]),
  area('dair', 'Al Dair', 'الدير', [50.6225, 26.2835], [231, 232]),
  area('samaheej', 'Samaheej', 'سماهيج', [50.6365, 26.282], [[233, 237]]),
  area('galali', 'Galali', 'قلالي', [50.6495, 26.273], [[251, 255]]),
  area('arad', 'Arad', 'عراد', [50.6315, 26.251], [[240, 246]]),
  area('hidd', 'Hidd', 'الحد', [50.654, 26.2455], [[101, 110]]),
  area('hidd-industrial', 'Salman Industrial City', 'مدينة سلمان الصناعية', [50.676, 26.2165], [115, 116, 117]),
  area('diyar-al-muharraq', 'Diyar Al Muharraq', 'ديار المحرق', [50.612, 26.307], [[263, 269]]),
  area('amwaj', 'Amwaj Islands', 'جزر أمواج', [50.6635, 26.29], [257, 258, 259, 260]),
  area('dilmunia', 'Dilmunia', 'دلمونيا', [50.67, 26.267], [271, 272]),
]

function area(areaId: string, name: string, nameAr: string, centre: Position, blocks: Blocks, ...also: Position[]) {
  return { areaId, name, nameAr, centre, also, blocks: blocks.flatMap((b) => (typeof b === 'number' ? b : run(...b))) }
}

function run(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}
