import type { Position } from '@qatra/contract/places/geo'

export interface Landmark {
  name: string
  nameAr: string
  /** Longitude, latitude */
  at: Position
}

/** Places that people name as directions; public data, accurate to about 300 m. */
export const landmarks: readonly Landmark[] = [
  // Malls and markets
  landmark('City Centre Bahrain', 'سيتي سنتر البحرين', 50.5516, 26.2334),
  landmark('Seef Mall', 'مجمع السيف', 50.5348, 26.2325),
  landmark('Dana Mall', 'مجمع الدانة', 50.5504, 26.2301),
  landmark('Bahrain Mall', 'مجمع البحرين', 50.5359, 26.229),
  landmark('Al Aali Shopping Complex', 'مجمع العالي', 50.5375, 26.2345),
  landmark('The Avenues Bahrain', 'الأفنيوز البحرين', 50.569, 26.2402),
  landmark('Moda Mall', 'مودا مول', 50.5811, 26.2392),
  landmark('Manama Souq', 'سوق المنامة', 50.5755, 26.2318),
  landmark('Juffair Mall', 'مجمع الجفير', 50.6045, 26.2155),
  landmark('Oasis Mall Juffair', 'الواحة مول الجفير', 50.602, 26.213),
  landmark('Isa Town Mall', 'مجمع مدينة عيسى', 50.5472, 26.172),
  landmark('Isa Town Market', 'سوق مدينة عيسى الشعبي', 50.5525, 26.1725),
  landmark('Ramli Mall', 'الرملي مول', 50.5209, 26.1631),
  landmark('Enma Mall', 'إنماء مول', 50.566, 26.1385),
  landmark('Seef Mall Muharraq', 'مجمع السيف المحرق', 50.6225, 26.257),
  landmark('Al Qaisariya Souq', 'سوق القيصرية', 50.6135, 26.257),
  landmark('Marassi Galleria', 'مراسي جاليريا', 50.6245, 26.3125),
  landmark('Dragon City', 'دراجون سيتي', 50.615, 26.2985),
  landmark('El Mercado Janabiya', 'إل ميركادو الجنبية', 50.469, 26.188),
  landmark('Atrium Mall Saar', 'أتريوم مول سار', 50.4855, 26.1925),
  landmark('Jawad Dome', 'جواد دوم', 50.4871, 26.2214),
  landmark('Hamad Town Market', 'سوق مدينة حمد', 50.507, 26.11),
  // Hospitals
  landmark('Salmaniya Medical Complex', 'مجمع السلمانية الطبي', 50.57, 26.2125),
  landmark('King Hamad University Hospital', 'مستشفى الملك حمد الجامعي', 50.595, 26.269),
  landmark('Bahrain Defence Force Hospital', 'المستشفى العسكري', 50.5335, 26.1345),
  landmark('American Mission Hospital', 'مستشفى الإرسالية الأمريكية', 50.5795, 26.2305),
  landmark('Bahrain Specialist Hospital', 'مستشفى البحرين التخصصي', 50.6065, 26.214),
  landmark('Royal Bahrain Hospital', 'مستشفى رويال البحرين', 50.5735, 26.217),
  landmark('Ibn Al-Nafees Hospital', 'مستشفى ابن النفيس', 50.5705, 26.2045),
  landmark('Sitra Health Centre', 'مركز سترة الصحي', 50.617, 26.156),
  // Mosques, museums and forts
  landmark('Al Fateh Grand Mosque', 'جامع أحمد الفاتح', 50.5983, 26.2188),
  landmark('Al Khamis Mosque', 'مسجد الخميس', 50.5485, 26.2083),
  landmark('Gudaibiya Mosque', 'جامع القضيبية', 50.586, 26.2241),
  landmark('Sacred Heart Church', 'كنيسة القلب المقدس', 50.5771, 26.2271),
  landmark('Bahrain National Museum', 'متحف البحرين الوطني', 50.5957, 26.2415),
  landmark('Bahrain National Theatre', 'مسرح البحرين الوطني', 50.597, 26.243),
  landmark('Beit Al Quran', 'بيت القرآن', 50.592, 26.2372),
  landmark('Isa Cultural Centre', 'مركز عيسى الثقافي', 50.5968, 26.2203),
  landmark("Qal'at al-Bahrain", 'قلعة البحرين', 50.5205, 26.2334),
  landmark('Arad Fort', 'قلعة عراد', 50.6282, 26.2536),
  landmark('Riffa Fort', 'قلعة الرفاع', 50.5644, 26.1166),
  landmark('Bab Al Bahrain', 'باب البحرين', 50.5758, 26.2335),
  landmark('Tree of Life', 'شجرة الحياة', 50.5808, 25.9941),
  // Hotels and towers
  landmark('Bahrain World Trade Center', 'مركز البحرين التجاري العالمي', 50.5815, 26.2387),
  landmark('Bahrain Financial Harbour', 'مرفأ البحرين المالي', 50.5755, 26.2395),
  landmark('Four Seasons Hotel', 'فندق فور سيزونز', 50.5838, 26.2478),
  landmark('Gulf Hotel', 'فندق الخليج', 50.5935, 26.2135),
  landmark('Diplomat Hotel', 'فندق الدبلومات', 50.5895, 26.2372),
  landmark('Ritz-Carlton Bahrain', 'فندق الريتز كارلتون', 50.5335, 26.2425),
  landmark('Sofitel Zallaq', 'سوفيتيل الزلاق', 50.483, 26.0505),
  // Schools, ministries and admins
  landmark('University of Bahrain', 'جامعة البحرين', 50.513, 26.052),
  landmark('AMA International University', 'جامعة أما الدولية', 50.5168, 26.1841),
  landmark('Philippine School', 'المدرسة الفلبينية', 50.5239, 26.1553),
  landmark('Al Noor International School', 'مدرسة النور العالمية', 50.6001, 26.1676),
  landmark('Ministry of Education', 'وزارة التربية والتعليم', 50.546, 26.166),
  landmark('Ministry of Interior', 'وزارة الداخلية', 50.573, 26.2285),
  landmark('General Directorate of Traffic', 'الإدارة العامة للمرور', 50.555, 26.178),
  landmark('Bahrain National Stadium', 'استاد البحرين الوطني', 50.5428, 26.153),
  landmark('Exhibition and Convention Centre', 'مركز المعارض والمؤتمرات', 50.5402, 26.2299),
  // Travel, work and leisure
  landmark('Bahrain International Airport', 'مطار البحرين الدولي', 50.629, 26.265),
  landmark('King Fahd Causeway', 'جسر الملك فهد', 50.4558, 26.1724),
  landmark('Mina Salman Port', 'ميناء سلمان', 50.612, 26.2035),
  landmark('Khalifa bin Salman Port', 'ميناء خليفة بن سلمان', 50.706, 26.1995),
  landmark('Bahrain International Circuit', 'حلبة البحرين الدولية', 50.5107, 26.0316),
  landmark('Al Areen Wildlife Park', 'محمية العرين', 50.4921, 26.015),
  landmark('Lost Paradise of Dilmun', 'جنة دلمون المفقودة', 50.5082, 26.0134),
  landmark('Adhari Park', 'منتزه عين عذاري', 50.5431, 26.1985),
  landmark('Water Garden', 'الحديقة المائية', 50.566, 26.2207),
  landmark('Andalus Garden', 'حديقة الأندلس', 50.5832, 26.2223),
  landmark('Amwaj Lagoon', 'ذا لاجون أمواج', 50.662, 26.2878),
  landmark('Royal Golf Club', 'النادي الملكي للغولف', 50.566, 26.107),
  landmark('Bahrain Refinery', 'مصفاة البحرين', 50.618, 26.113),
  landmark('Aluminium Bahrain', 'ألمنيوم البحرين (ألبا)', 50.615, 26.093),
  landmark('Al Jazayer Beach', 'شاطئ بلاج الجزائر', 50.466, 25.976),
  landmark('Durrat Marina', 'درة مارينا', 50.5945, 25.838),
]

function landmark(name: string, nameAr: string, lng: number, lat: number): Landmark {
  return { name, nameAr, at: [lng, lat] }
}
