import { fold } from '@qatra/contract/lib/text'

/** Further spellings of Bahrain's areas, by the code of the area. Other spellings differ in vowels or in one letter. */
export const areaNames: Readonly<Record<string, string>> = {
  manama: 'العاصمة,manamah,المنامه',
  'diplomatic-area': 'الدبلوماسية,الديبلوماسية,diplomatic,diplo area',
  'bahrain-bay': 'بحرين بي,البحرين باي,bahrainbay',
  'ras-rumman': 'راس رمان,ras ruman,rasrumman',
  gudaibiya: 'القضيبيه,gudabiya,qudaibiya,qudaybiyah,gudhaibiya',
  'reef-island': 'الريف,ريف,reef,lulu island,جزيرة اللؤلؤ',
  juffair: 'جفير,jufair,juffer,jofair,jufer,aljuffair',
  'um-al-hassam': 'umm al hassam,um alhassam,umm alhassam,um hassam,ام حصم,umalhassam',
  'bilad-al-qadeem': 'البلاد القديم,bilad alqadeem,bilad qadeem,bilad al qadim,البلاد',
  'nabih-saleh': 'النبي صالح,nabi saleh',
  seef: 'سيف,sief,seif,saif,ضاحية السيف,seef district,elseef,alseef',
  jidhafs: 'jidhafs,jidhaf,jid hafs,jedhafs,جد حفص,jidhifs',
  sehla: 'السهلة الشمالية,السهلة الجنوبية,sahla,sahlah,سهلة',
  qala: 'قلعة البحرين,alqala',
  'abu-saiba': 'بوصيبع,ابوصيبع,bu saiba,abusaiba',
  'bu-quwah': 'بو قوة,ابو قوة,ابوقوة,abu quwah,bu quwa,buquwa,abu guwa,bu guwa',
  budaiya: 'البديعة,budaia,bdaiya,budayya,budai,budaiyah,bdayya,albudaiya',
  saar: 'سار,sar,saar village',
  janabiya: 'الجنبيه,janabia,janabiyah,jannabiya,janabya',
  'salman-city': 'madinat salman,المدينة الشمالية,المدينه الشماليه,northern city,north city,salman town',
  hamala: 'الهمله,hamalah,alhamala',
  zallaq: 'zallaq,zalag,zallag,zellaq',
  'dar-kulaib': 'دار كليب,dar kuleib,dar klaib',
  'jid-ali': 'جدعلي,jidali,jid3ali,jid 3ali,jid 3li',
  'isa-town': 'madinat isa,madinat 3isa,madinat issa,madinat essa,isatown,issa town,esa town,مدينه عيسي',
  'zayed-town': 'madinat zayed,zayed city',
  aali: 'عالي,a3li,3ali,aaly',
  'east-riffa':
    'riffa east,الرفاع الشرقية,رفاع الشرقي,riffa sharqi,riffa alsharqi,east rifa,riffa al sharqi,east rifaa',
  'west-riffa':
    'riffa west,الرفاع الغربية,رفاع الغربي,riffa gharbi,riffa algharbi,west rifa,riffa al gharbi,west rifaa',
  'riffa-views': 'riffa view,rifa views,رفاع فيو',
  hajiyat: 'hajiat,hajyat,hajeyat,الحجيات',
  'hamad-town':
    'madinat hamad,madinat 7amad,madinah hamad,hamadtown,hamad twn,مدينه حمد,hamed town,7amad town,دوار حمد',
  nuwaidrat: 'nwaidrat,nuwaydrat',
  sitra: 'ستره,sitrah,setra',
  muharraq: 'محرق,muharaq,mharraq,m7arraq,mu7arraq,moharraq,mohareq,muharraq city',
  busaiteen: 'البسيتين,بسيتين,bsaiteen,busayteen,busaitin,basaiteen',
  hidd: 'الحد,hid,el7ad,al7ad,7ad,al hid',
  'diyar-al-muharraq': 'الديار,ديار,diyar,deyar,diyar muharraq,ديار محرق',
  amwaj: 'امواج,amwaj,أمواج,جزيرة امواج,amwag',
  dilmunia: 'dilmoniya,dilmuniya,دلمونيه',
  galali: 'قلالي,galaly,qalali,glali',
  arad: 'عراد,3arad',
  samaheej: 'سماهيج,samahij',
  'durrat-al-bahrain': 'درة,درة البحرين,durrat,durrat bahrain,durra',
  zinj: 'زنج,zinj,zenj,zing',
  adliya: 'عدلية,adlya,adliyah,3adliya,adlia',
  mahooz: 'ماحوز,mahouz,mahoz',
  salmaniya: 'سلمانية,salmanya,salmaniyah,salmania',
  hoora: 'حورة,hura,7ora,7oora,houra',
  sanabis: 'سنابس,sanabes,snabis',
  tubli: 'توبلي,tobli,toobli',
  sanad: 'سند,sanad,sened',
}

const barely = (list: string) => new Set(list.split(',').map((word) => fold(word)))

/** Words that several areas share; alone they name all of these. */
export const sharedWords: ReadonlySet<string> = barely('riffa,رفاع,amwaj,امواج,diyar,ديار')

/** Names (without article) that are also everyday words: they count with a preposition or alone. */
export const namesInContext: ReadonlySet<string> = barely(
  '7ad,جو,عالي,دور,قريه,حد,سند,سار,ريف,reef,sar,jaw,dur,bay,العاصمه,عاصمه,بلاد,diplomatic,hid,سيف,saif,درة,دره,durra,امواج,ديار,حوره,قلعه,north city,نعيم,naim,دير,جسره,3ali,saif',
)
