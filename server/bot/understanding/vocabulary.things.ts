import { type TypedUnit, type UnitForm, unitSpellings } from '@qatra/contract/products/unit-words'

const wordsFor = (form: UnitForm, ...units: TypedUnit[]) => unitSpellings(form, units).replaceAll(' ', ',')

/**
 * Words for things: packs, sizes, kinds of water, address parts, days, times. Keys are lexemes; values are phrases in
 * Arabic (folded on load), English and Arabizi, separated by commas. `√` marks an Arabic verb root that is inflected on
 * load. Arabizi needs no entry if its consonants are those of an Arabic word of three or more consonants. Source: Gulf
 * Arabic as written in Bahrain, and the words of the trade.
 */
export const things = {
  // Here علبة is a bottle, and a box a pack.
  pack: `${wordsFor('one', 'carton', 'case', 'pack')},box,crate,peti,petti`,
  packs: `${wordsFor('many', 'carton', 'case', 'pack')},boxes,crates`,
  twoPacks: wordsFor('two', 'carton', 'case', 'pack'),
  bottle: `${wordsFor('one', 'bottle', 'piece')},علبه,unit`,
  bottles: `${wordsFor('many', 'bottle', 'piece')},علب,units`,
  twoBottles: `${wordsFor('two', 'bottle', 'piece')},علبتين`,
  gallon: `${wordsFor('one', 'gallon')},gal,for the dispenser,for dispenser,حق البراده,حق الدسبنسر,7ag el barrada`,
  gallons: `${wordsFor('many', 'gallon')},gals`,
  twoGallons: `${wordsFor('two', 'gallon')},gallonain,gallonein,galonain,galonein,galloonain,qalonain,galnain,glonain`,
  dozen: 'درزن,درزينه,دزينه,دسته,درازن,dozen,dozens,darzan,derzen,dzn',
  double:
    'ضبل,ضبلها,ضبله,ضبلهم,دبل,دبلها,دبله,ضاعف,ضاعفها,ضعفها,الضعف,double,double it,double that,double the order,dabbelha,thabelha',
  litre: 'لتر,ليتر,لترات,ليترات,لترين,l,lt,ltr,ltrs,litre,litres,liter,liters,litir,letr,leter,litr',
  millilitre: 'مل,ملي,ملل,مليلتر,ملليلتر,ملم,ml,mls,mil,millilitre,millilitres,milliliter,milliliters',
  half: 'نص,نصف,half,nos,nus,nuss,noss,aadha,adha,kalahati',
  third: 'ثلث,third of a,one third,thilth',
  /** Of each of the named. */
  each: 'each,apiece,each one,each size,of each,من كل واحد,من كل وحده,كل واحد,كل وحده,من كل نوع,كل نوع,لكل نوع,من كل حجم,mn kil wa7ed,min kil wa7ed,kil wa7ed,kel wa7ed,mn kel wa7ed,kel no3,kil no3,mn kel no3,min kil no3,of every kind,of both,both of them',
  halve:
    'نصهم,نصها,نص الكميه,نصف الكميه,نص العدد,half of it,half of that,half of them,half the quantity,halve,halve it,nisshom',
  newWord:
    'جديد,جديده,يديد,يديده,جدد,new,jdad,jded,jdeedeen,ydad,brand new,jdeed,jadeed,jdeeda,jadeeda,ydeed,naya,bago',
  quarter: 'ربع',
  andAHalf: 'ونص,ونصف,and a half,w nos,w nus,wnos,wnus',
  small:
    'chhota,chota,choti,maliit,صغير,صغيره,صغار,الصغيره,الصغير,صغيرون,صغيرونه,small,smallest,little,mini,tiny,sghir,sghar,9ghar,93aar,93ar,93eer,93er,93ayer,9gheer,9gher,9ghayer,9ghayra,z8ar,زغير,زغيره,zgheer',
  large:
    'bada,bara,badi,malaki,كبير,كبيره,كبار,الكبير,الكبيره,العوده,عوده,العود,big,biggest,large,largest,kbir,kbar,kabeer,kbeer,3ood,3oda',
  sizeWord:
    'الحجم,حجم,الاحجام,احجام,احجامكم,مقاس,مقاسات,المقاسات,مقاساتكم,size,sizes,7ajm,7jm,a7jam,7jam,7ajem,7ajim,7agm,7ajam,hajm,ahjam',
  waterWord:
    'paani,pani,tubig,ماي,ماء,مي,مويه,مياه,الماي,مايي,water,waters,mai,may,maay,moya,moyah,mayya,maya,mayy,watr,wter,drinking water,مياه شرب',
  'k:alkaline':
    'قلوي,قلويه,القلويه,الكلاين,الكالاين,galawi,8alawi,galawy,qalawi,galawiya,kalawi,alkaline,alkalin,high ph,alkali',
  'k:sparkling':
    'فوار,فواره,الفواره,غازيه,غازي,بالغاز,صودا,سباركلنق,سباركلينج,sparkling,sparkled,fizzy,soda,carbonated,ghaziya,ghazia,ghazyah,8aziya,8azeya,8azya,bubbly,gas water,with gas,fawar,fawara',
  'k:lemon': 'ليمون,الليمون,بالليمون,لومي,lemon,laimon,laymoon,lemoon,lomi',
  'k:mint': 'نعناع,النعناع,بالنعناع,mint,na3na3',
  'k:kids':
    'اولاد,للاولاد,للعيال,للاطفال,اطفال,الاطفال,لليهال,يهال,جهال,الجهال,للجهال,kids,kid,children,for children,baby,yahal,jahal',
  'k:sport': 'رياضي,رياضيه,الرياضيه,سبورت,sport,sports,gym bottle',
  'k:glass': 'زجاج,زجاجيه,بعبوه زجاجيه,قزاز,glass,glass bottle,glass bottles,zjaj',
  'k:lowSodium':
    'قليله الصوديوم,قليل الصوديوم,قليل صوديوم,صوديوم قليل,منخفض الصوديوم,بدون صوديوم,خالي الصوديوم,لو صوديوم,low sodium,low salt,sodium free,no sodium,less sodium,zero sodium,qaleel alsodium,galil sodium,lowsodium,low sodum',
  'k:newBottle':
    'مع القاروره,مع قاروره,مع قاروره جديده,قاروره جديده,جديد مع القاروره,مع الغرشه,مع الدبه,مع البطل,مع بطل,مع البطول,بالبطل,مع القنينه,مع البوتل,ma3 el botal,ma3 el ba6al,ma3 botal,ma3 el boutle,ma3 el gharsha,ma3 el dabba,ma3 el qarora,غالون جديد,جالون جديد,قلن جديد,دبه جديده,new bottle,with bottle,with the bottle,with a new bottle,new gallon,with new bottle,first time bottle,new bottles,with bottles,with new bottles,with the bottles,new gallons,bottle with water,bottles with water,new bottle with water,new bottles with water,قوارير جديده,مع القوارير,مع قوارير,غراش جديده,مع الغراش,دبات جديده,غالونات جديده,جالونات جديده,قلنات جديده,قاروره مع الماي,قوارير مع الماي,قوارير جديده مع الماي,قاروره جديده مع الماي,غرشه جديده,جديده مع القوارير,جديده مع الغراش,jadeeda ma3 el gwaty,ma3 el gwaty,ma3 el gawateer,ma3 el gawareer,ma3 el garasheen,ma3 el garash,jdeeda ma3 el garasha',
  'k:refill':
    'بدل الفاضيه,مقابل الفاضيه,تعبئه,تعبيه,تبديل,مقابل الفاضي,مقابل الفارغ,بدل الفاضي,بدل فاضي,refill,refills,exchange,swap for empty,for my empty',
  block: 'مجمع,بلوك,البلوك,المجمع,block,blk,blok,mojamma,mojamma3,mujamma3,mujamma,mujama3,mojama3,mujamaa,mjm3',
  road: 'طريق,شارع,الطريق,الشارع,ممر,road,rd,street,str,avenue,ave,tareeg,6areeg,6areeq,6ari8,tareeq,tariq,share3,shari3,lane',
  building:
    'بنايه,مبني,عماره,بيت,البيت,منزل,فيلا,فله,ڤيلا,برج,building,bldg,bld,buildng,house,villa,home,tower,hous,bait,bayt,beit,binaya,bnaya,mabna,vila,house number,house no',
  flat: 'شقه,الشقه,شقتي,flat,apartment,apt,appt,shaqqa,shagga,sha8a,shaga,flt,room,غرفه',
  floor: 'الطابق,طابق,الدور,دور,floor,level',
  officeWord: 'مكتب,المكتب,office,shop,محل,محلي',
  numberWord: 'رقم,نمره,خيار,الخيار,option,choice,no,number,numbers,ارقام,الارقام,num,nr,raqam,ragam',
  gate: 'باب,الباب,بوابه,gate,door',
  today:
    'aaj,ngayon,اليوم,هاليوم,الليله,today,tonight,alyoom,elyom,elyoom,ilyoom,alyom,ilyom,al youm,el youm,same day,this evening',
  tomorrow:
    'kal,bukas,باجر,باچر,بكره,بكرا,بكرة,غدا,باكر,tomorrow,tmrw,tmr,tomorow,tommorow,tomorrw,tommorrow,bacher,bachir,bukra,bukrah,bokra,bachr,bajer,bajr,baacher,باجرالصبح',
  afterTomorrow:
    'بعد باجر,بعد باچر,بعد بكره,بعد بكرا,بعد غد,عقب باجر,عقب باچر,عقب بكره,day after tomorrow,after tomorrow,ba3d bacher,ba3ad bacher,baad bukra,ba3d bukra,3gb bacher',
  yesterday: 'امس,البارحه,يوم امس,امبارح,من امس,yesterday,ams,last night,اول امس,قبل امس',
  'd:0': 'الاحد,يوم الاحد,احد,sunday,sun,el a7ad,al ahad,ala7ad,youm el a7ad,yom el ahad',
  'd:1':
    'الاثنين,الاثنين,يوم الاثنين,الإثنين,يوم الثنين,الثنين,monday,mon,elethnain,al ethnain,yom el ithnain,alithnain,el etnen',
  'd:2':
    'الثلاثاء,الثلاثا,الثلثاء,يوم الثلاثا,يوم الثلاثاء,الثلوث,tuesday,tue,tues,althalatha,el thalatha,yom el thalatha',
  'd:3':
    'الاربعاء,الاربعا,الربوع,يوم الاربعا,يوم الاربعاء,wednesday,wed,wednsday,wensday,alarba3a,el arb3a,elarb3a,alarb3a,el arba3a,el arbe3a,yom el arbi3a,al arba3a',
  'd:4':
    'الخميس,يوم الخميس,خميس,thursday,thu,thurs,thrusday,thursdy,alkhamis,elkhamees,al khamees,el 5amees,al5amis,yom el khamis',
  'd:5':
    'اليمعه,يوم اليمعه,yim3a,el yim3a,yoom el yim3a,الجمعه,يوم الجمعه,جمعه,friday,fri,aljum3a,aljom3a,el jom3a,eljum3a,al jumma,yom el jum3a,fridays',
  'd:6': 'السبت,يوم السبت,سبت,saturday,sat,saterday,alsabt,elsabt,el sabt,yom el sabt,as sabt',
  week: 'اسبوع,الاسبوع,week,weekend,نهايه الاسبوع,الويكند,ويكند,الاسبوع الياي,next week',
  weekly:
    'كل اسبوع,اسبوعي,اسبوعيا,كل سبت,كل احد,كل اسبوعين,weekly,every week,each week,every two weeks,every saturday,every sunday,kil isboo3,kel esboo3',
  monthly: 'كل شهر,شهري,شهريا,شهريه,monthly,every month,each month,per month,kil shahar,shahri',
  money: 'دينار,دنانير,دنانير,فلس,فلوس,د.ب,bd,bhd,dinar,dinars,fils,دينارين,dinarain',
  clock: 'الساعه,ساعه,oclock,o clock,pm,am,hour,hours,ساعات,ساعتين,دقيقه,دقايق,minutes,mins,minute,el sa3a,alsa3a,sa3a',
  partOfDay:
    'الصبح,الصباح,الضحي,الظهر,العصر,المغرب,العشا,العشاء,المسا,بالليل,فليل,العصريه,الفجر,morning,afternoon,evening,noon,night,el3asr,al3asr,3asr,el9ub7,el sub7,asr,maghrib,dhuhr',
  phoneWord:
    'رقمي,raqmi,ragmi,my number,تلفون,تلفوني,التلفون,موبايل,موبايلي,جوال,هاتف,phone,mobile,whatsapp,واتساب,واتس,tel',
} as const
