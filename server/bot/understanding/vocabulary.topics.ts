/**
 * Words for complaints, questions to the shop, advertising and small talk. The format is that of vocabulary.things.ts.
 */
export const topics = {
  late: 'متاخر,متاخره,متاخرين,تاخر,تاخرت,تاخرتوا,تاخرتو,تاخير,تاخرت عليي,متأخر,طولتوا,طولتو,طول,طولت,لين متي,لمتي,صار لي ساعه,صار لي يوم,صارلي,صار لي,ناطر,ناطره,ناطرين,انطر,نطرت,ننطر,استني,منتظر,late,delayed,delay,overdue,waiting,still waiting,taking so long,taking too long,so long,too long,how long should i wait,been hours,been waiting,mit2akher,mit2a5er,met2a5er,mitakher,ta2akhar,ta5ar,ta2a5ar,met2a5ir,ta5artaw,takhartaw,nater,natir,na6er,na6ir,6awaltaw',
  stillNot:
    'لين الحين,لي الحين,للحين,لحد الان,لحد الحين,الي الان,لالحين,لين الان,still,yet,until now,till now,so far,lain al7een,lain alhin,lil7een,lal7een,le7een,lel7een,lain el7een,so7',
  missing:
    'ناقص,ناقصه,ناقصين,ناقصني,ينقص,ينقصني,نقصان,مب كامل,مو كامل,مب كامله,مو كامله,غير كامل,غير مكتمل,ما كمل,ضايع,ضاع,ضاعت,missing,incomplete,short by,is short,are short,short one,was short,were short,forgot,forgotten,nsaitaw,naqis,naqes,na8es,nag9,nages,naqi9,naqsa,naq9a,nagsa,نسيتوا,نسيتو,نسوا,نسي,ناسين,نسيتوني,nesa,nsa,not complete,only received,only got,lost,half of my order,half my order',
  broken:
    'مكسور,مكسوره,مكسورين,انكسر,انكسرت,كسر,كسروا,كاسر,خربان,خربانه,مشقوق,مشقوقه,مثقوب,مثقوبه,مفتوح,مفتوحه,مفتوحين,مدعوم,مفعوص,مطعوج,تالف,تالفه,خراب,broken,broke,damaged,damage,cracked,crack,torn,dented,opened,seal broken,crushed,smashed,defective,faulty,maksoor,maksora,maksor,ma9ksoor,inkisar,inkasar,kharban,5arban,mashgoog,brokn,damagd',
  leak: 'يسرب,تسرب,تسريب,مسرب,مسربه,يخر,تخر,يخرر,تخرر,مخرر,خرر,ينقط,تنقط,يهرب,تهريب,انكب,تسرّب,leak,leaks,leaking,leaked,leaky,spill,spilled,spilt,dripping,drips,ykhir,y5ir,t5ir,tkhir,ysarib,ysareb,ysarreb,yi5ir',
  wrong:
    'مو صح,مب صح,mu 9a7,mo 9a7,mub 9a7,mo sa7,mu sa7,غلط,بالغلط,غلطان الطلب,خطا,خاطي,خاطئ,مو اللي طلبته,مب اللي طلبته,مو اللي طلبت,مب اللي طلبت,مو طلبي,مب طلبي,مو هذا طلبي,غير اللي طلبته,غير اللي طلبت,مو نفس اللي طلبته,شي ثاني غير,جبتوا لي,جبتوا,جايبين,جايب,wrong,incorrect,mistake,mixed up,not what i ordered,not my order,isnt what i ordered,different from what i ordered,instead of what i ordered,someone elses order,ghalat,ghala6,8ala6,8alat,3ala6,غلطتوا',
  refund:
    'رجعوا لي,رجعوا,ترجعون لي,i want to return,want to return,return my order,return it,استرجاع,استرداد,ارجاع,رجعوا فلوسي,رجعوا الفلوس,رجعوا لي فلوسي,رجع فلوسي,ارجعوا فلوسي,ابي فلوسي,فلوسي,ترجيع,ترجعون فلوس,تعويض,عوضوني,refund,refunded,money back,my money,return my money,reimburse,compensate,compensation,overcharged,charged twice,charged me twice,double charged,charged me,took more money,extra money,floosi,flusi,floosy,isterja3,ارجع الطلب,ارجع الكرتون,سرقه,حراميه,نصب,نصابين,scam,زياده عن السعر,اخذ زياده,خذ زياده,اخذ مني,خذ مني,خذوا مني,اخذوا مني,ماخذين زياده,اخذتوا زياده,خذيتوا',
  taste:
    'طعم,طعمه,طعمها,الطعم,ريحه,ريحته,ريحتها,ريحته خايسه,خايس,خايسه,وصخ,وصخه,وسخ,وسخه,قذر,عفن,متغير,مالح,مالحه,منتهي,منتهيه,منتهيه الصلاحيه,فاسد,حشره,شعره,دود,اصفر,taste,tastes,tasting,smell,smells,smelly,dirty,stinks,stinky,bitter,salty,weird,funny taste,expired,mold,mould,yellow,green stuff,insect,hair in,contaminated,cloudy,6a3m,6a3mah,ta3m,ta3ma,6a3ma,ta3mah,reeha,ree7a,ree7ah,ri7a,reehta,ree7ta,wasikh,wa9ekh,9akh,khayes,khaisa,5ayes,5aysa',
  complain:
    'نفس السالفه,نفس القصه,nafs el salfa,nafs elsalfa,same story,حرام عليكم,سيئين,سيين,فاشل,فاشلين,تعبتونا,مزعج,مزعجه,مزعجين,very bad,so bad,useless,pathetic,ازعجتونا,ازعجتوني,تزعجوني,تزعجونا,az3ajtona,شكوي,شكوى,اشتكي,اشكي,بشتكي,مشكله,عندي مشكله,سيئ,سيئه,زفت,اسوا,قله ادب,قليل ادب,قليل الادب,اسلوب,اسلوبه,مو راضي,مب راضي,زعلان,معصب,حسافه,خدمتكم,خدمه سيئه,عيب عليكم,ما يرد,ما تردون,محد يرد,محد رد,محد رد علي,ما رديتوا,ما رديتوا علي,مستهتر,اهمال,complain,complaint,complaints,problem,issue,terrible,horrible,worst,awful,bad service,poor service,unacceptable,rude,disappointed,disappointing,angry,upset,unprofessional,annoying,ridiculous,shakwa,mushkila,moshkila,mishkila,3ndi mushkila,se2a,zift,disgusting,not happy,unhappy,not satisfied,sick after,مريض,مرضت,مرضوا,تسمم,غرمان',
  mistakeOfMine:
    'oops,oopsie,scratch that,typo,typing mistake,غلطه مني,غلطتي,غلطت,غلطان,غلطانه,انا غلطان,غلطت في,my mistake,by mistake,my bad,i made a mistake,ghaltan,8al6an,ghalta',
  payWord:
    'ادفع,ندفع,تدفع,يدفع,الدفع,دفع,تدفعون,pay,payment,payments,paying,paid,payement,adfa3,adf3,el dafa3,eldaf3,dafe3,dafa3',
  payMeans:
    'كاش,نقد,نقدا,بطاقه,البطاقه,فيزا,ماستر,ماستركارد,بنفت,بنفت بي,بنفتبي,بينفت,مدي,تحويل,حواله,حوله,احول,اونلاين,ابل بي,ماكينه,مكينه,شبكه,ايبان,cash,card,cards,credit card,debit card,visa,mastercard,benefit,benefitpay,benefit pay,online,apple pay,transfer,bank transfer,iban,card machine,pos,cod,cash on delivery,kash,ba6aqa,bitaqa,benfit,fawateer,crypto,instalments,installments,تقسيط',
  openWord:
    'فاتحين,فاتح,مفتوحين,تفتحون,تفتح,تسكرون,مسكرين,تسكر,دوامكم,دوام,الدوام,شغالين,تشتغلون,تداومون,مداومين,ساعات العمل,اوقات العمل,وقت العمل,اوقات الدوام,ساعات الدوام,do you work,you work,work on,open,opening,close,closed,closing,opening hours,working hours,business hours,work hours,working time,timing,timings,opening times,fat7een,fat7in,tsakroon,tsakron,dawamkom,tfat7oon,dawam',
  daysWord:
    'ay yoom,ay yom,ay youm,ايام,الايام,ايام التوصيل,اي ايام,days,which days,what days,holiday,holidays,عطله,الاجازات,العطل,اجازه,ayyam,ayam,بالعيد,في العيد,رمضان,العيد',
  fee: 'رسوم التوصيل,رسوم,اجره التوصيل,قيمه التوصيل,سعر التوصيل,كم التوصيل,جم التوصيل,بكم التوصيل,بجم التوصيل,التوصيل بكم,التوصيل بجم,التوصيل مجاني,توصيل مجاني,التوصيل ببلاش,التوصيل بفلوس,مجاني,ببلاش,بلاش,delivery fee,delivery fees,delivery charge,delivery charges,delivery cost,delivery price,price of delivery,shipping fee,free delivery,delivery free,delivery is free,charge for delivery,charge delivery,free shipping,rsoom,rusoom,rosoom,majani,majjani,majany,fees,fee',
  minimum:
    'الحد الادني,حد ادني,اقل طلب,اقل شي,اقل كميه,اقل مبلغ,اقل عدد,minimum,minimum order,min order,minumum,minmum,minimun,least i can order,smallest order,at least,lowest order,agal 6alab,agal talab,aqal talab,agal shay,a8al 6alab,7ad adna',
  areasWord:
    'مناطق,المناطق,اي مناطق,وين توصلون,اي منطقه,شنو المناطق,areas,covered,which areas,what areas,coverage,cover,where do you deliver,manatiq,mana6eq,mana6ig,all over bahrain,كل البحرين,all bahrain,البحرين كلها,خارج البحرين',
  offer:
    'last price,final price,best price,اخر سعر,كوبونات,دفتر كوبونات,عرض,عروض,العروض,عروضكم,خصم,خصومات,تخفيض,تخفيضات,كوبون,كود,كود خصم,برومو,offer,offers,discount,discounts,promo,promotion,promotions,coupon,code,promo code,voucher,sale,deal of,deals,special price,3ard,3roothkom,3roodhkom,3roodh,3rooth,3orood,3uroodh,3oroth,3rodh,5a9m,khasm,khosomat,specials,buy one get one',
  deposit:
    'khali bottle,khali bottles,khaali bottle,khali botal,تامين,تأمين,عربون,رهن,ضمان,مسترد,فاضيين,فاضيات,القديمه,ارجعه,ارجعها,نرجعها,نرجعه,الفاضي,فاضي,فاضيه,الفاضيه,الفارغه,فارغه,فارغ,الفوارغ,فوارغ,القوارير الفاضيه,deposit,deposits,refundable,empty bottle,empty bottles,empties,empty gallons,empty gallon,return bottles,return the bottles,collect the empty,old bottles,ta2meen,tameen,ta2min,rahn,fathya,fa9ya,fawaregh,fathi,recycle',
  company:
    'للشركات,حق شركه,حق شركات,حق الشركات,حق شركتنا,لشركتنا,لشركه,شركتنا,شركتي,لمكتب,للمكاتب,حق مكتب,حق المكتب,حق مكاتب,جمله,بالجمله,الجمله,سعر خاص,اسعار خاصه,كميات كبيره,كميه كبيره,للمطاعم,مطعم,مطعمنا,فندق,مدرسه,مدرستنا,للمساجد,مسجد,عقد,تعاقد,عرض سعر,عرض سعر لشركه,تسعيره,my company,our company,for companies,company prices,company price,company rates,for our office,for my office,corporate,business account,business,wholesale,bulk,bulk price,quotation,quote,contract,restaurant,hotel,school,mosque,event,large quantity,large quantities,jumla,jomla,7ag sharika,hag sharika,sharikatna,company account,b2b,company,credit account',
  invoice:
    'السجل,السجل التجاري,سجل تجاري,commercial registration,cr number,فاتوره,الفاتوره,فواتير,فاتورتي,وصل الدفع,ايصال,ضريبي,ضريبيه,ضريبه,الضريبه,رقم ضريبي,الرقم الضريبي,invoice,invoices,receipt,reciept,bill,tax,vat,vat number,tax invoice,fatoora,fatura,fatora,fatoorah,invoce,فاتوره ضريبيه',
  subscription:
    'اشتراك,الاشتراك,اشتراكات,اشترك,اشتراك شهري,باقه,باقات,توصيل دوري,طلب دوري,طلب ثابت,اوتوماتيك,تلقائي,subscription,subscriptions,subscribe,subscribtion,recurring,standing order,auto delivery,automatic,regular delivery,package plan,monthly plan,weekly plan,ishtirak,eshterak,ishterak,eshtirak,plan',
  robot:
    'روبوت,ربوت,بوت,رد الي,انسان,انسان ولا,انت انسان,ذكاء اصطناعي,كمبيوتر,مين معي,منو معاي,من معي,من انت,منو انت,انت منو,انتي منو,منو يرد,اكلم روبوت,robot,bot,a bot,machine,computer,artificial,ai,are you real,are u real,are you a real person,are you a real human,are u human,are u a bot,a real person or,are you human,are you a human,are you a person,real or,chatgpt,who am i talking to,who are you,who is this,whos this,robout,roboot,insan,mnu ma3ay,inta robot,automated,mino inta,menu inta',
  contact:
    'رقمكم,رقم تلفونكم,ارقامكم,رقم التواصل,تواصل,اتواصل,ايميل,ايميلكم,بريدكم,انستا,انستغرام,انستقرام,حسابكم,موقعكم,مكانكم,عنوانكم,فرعكم,فروعكم,فرع,وين مكانكم,وين محلكم,محلكم,وين مكتبكم,تطبيق,تطبيقكم,app,application,phone number,your number,contact,contact number,contacts,email,e mail,instagram,insta,website,where are you located,your location,your address,your office,located,branch,branches,hotline,landline,raqamkom,ragamkom,rqmkm,raqmkom,mo8e3kom,your shop,your store',
  policy:
    'سياسه,سياستكم,قوانين,شروط,policy,policies,terms,rules,conditions,كم مده,خلال كم,لين متي اقدر,غرامه,penalty,cancellation fee,after ordering,بعد ما اطلب,بعد الطلب,after i order,after placing,after i place',
  product:
    'حجم,وزن,weight,how big,how heavy,size of,صوديوم,الصوديوم,sodium,الفرق,فرق,شنو الفرق,مصدر,مصدره,مصدرها,منشا,مكونات,تحاليل,املاح,الاملاح,معدنيه,معدني,صلاحيه,الصلاحيه,تاريخ الانتاج,تاريخ الصلاحيه,احسن,افضل,تنصح,تنصحني,تنصحوني,نصيحه,صحي,صحيه,معتمد,بلاستيك,بارد,بارده,difference,diffrence,differnce,source,ingredients,minerals,mineral,tds,ph,expiry,expiration,expiry date,best,better,recommend,recommendation,healthy,certified,plastic,bpa,cold,chilled,quality,fresh,al farq,elfarg,el farq,farg,a7san,ahsan,afthal,tan9a7ni,benefits of,safe for,suitable for,good for,مناسب,يناسب,للرضع,للرضاعه,للحامل',
  accessory:
    'براد,براده,برادات,كولر,مضخه,حنفيه,ثلج,عصير,عصاير,بيبسي,حليب,قهوه,شاي,dispenser,cooler,pump,stand,tap,ice,juice,pepsi,cola,coke,milk,coffee,tea,barrada,barad,snacks,tissue,كلينكس,محارم',
  // advertising and opting out
  ads: 'da3ayat,di3ayat,da3aya,اعلان,اعلانات,الاعلانات,اعلاناتكم,دعايات,دعايه,دعاياتكم,رسايل,رسائل,الرسايل,الرسائل,رسايلكم,رسائلكم,رساله,رسالاتكم,مسجات,مسجاتكم,مسج,سبام,ازعاج,ترويج,ads,ad,adverts,advertising,advertisement,advertisements,marketing,promotional,promotions messages,spam,messages,msgs,msg,message,messaging,newsletter,newsletters,e3lanat,i3lanat,rasayel,rasail,msgat,masgat,masjat,d3ayat,di3ayat,texts,texting,broadcast,broadcasts',
  stop: 'فكونا,فكوني,فكونا من,فكوني من,fkona,fkoni,enough,كفايه,وقف,وقفوا,وقفو,اوقف,اوقفوا,توقف,توقفون,ايقاف,بطلوا,قطعوا,كفوا,كافي,بس عاد,stop,stopp,stop all,stopall,quit,end,turn off,disable,waqif,waqfo,wagfo,wagfaw,wa8fo,wagif,w8fo',
  send: '√رسل,ارسال,ترسلون,ترسلو,ترسل,ترسلوا,تطرشون,تطرش,تطرشوا,تدزون,تدز,ترسلي,تبعثون,تراسلوني,تراسلون,sending,send,tersloon,tersilon,trsloon,terslon,t6arshon,t6arshoon,tarshoon,tersil,trslon,contacting,message me,text me',
  unsubscribe:
    'unsubscribe,unsubscribe me,opt out,optout,opt me out,take me off,remove me,remove my number,delete my number,remove me from,off your list,mailing list,your list,الغاء الاشتراك,الغي اشتراكي,الغوا اشتراكي,شيل رقمي,امسح رقمي,احذف رقمي,شيلوني,شيلوني من,شيلو رقمي,شيلوا رقمي,احذفوا رقمي,امسحوا رقمي,حذف رقمي,من القائمه البريديه,sheeloni,shiloni,sheelo raqmi,sheelo ragmi,i7thfo raqmi,unsubcribe,unsubscrib,do not contact,dont contact,dont message,dont text,stop messaging,stop texting,stop contacting,blocked,ابلكم,ببلكم,ابلككم,بسوي بلوك,block you',
  resubscribe:
    'unstop,resume offers,start offers,استيناف العروض,تفعيل العروض,تفعيل الرسايل,فعلوا الرسايل,رجع العروض,رجع لي العروض,رجع الرسايل,رجع لي الرسايل,رجعوا العروض,رجعوا لي العروض,رجعوا الرسايل,رجعوا لي الرسايل,رجعوا عروضكم,رجعوا لي عروضكم,ارجعوا ارسلوا,رجعوا ارسلوا,opt in,opt me in,opt me back in,optin,resubscribe',
  resume: 'رجعوني,ردوني,ضيفوني,سجلوني,استيناف,استانفوا,تفعيل,فعلوا,back on,resume,sign me up',
  anew: 'مره ثانيه,مره اخري,من جديد,again,marra thanya,mara thanya,marra thania,min jdeed',
  laugh:
    'ه,خ,h,هه,ههه,هههه,ههههه,ههههههه,خخخ,خخخخ,haha,hahaha,lol,lmao,hehe,😂,🤣,😅,😊,😍,😁,🥰,hh,hhh,hhhh,hahahaha,😄',
  praise:
    'حلو,حلوه,روعه,رهيب,ممتاز,ممتازين,ممتازه,خدمه ممتازه,جميل,احبكم,نحبكم,احبك,ما شاء الله,ماشاءالله,ماشاء الله,الله يبارك,بارك الله فيكم,مبدعين,قويه,nice,love,love it,love you,i love,awesome,amazing,excellent,cool,wow,well done,good job,good service,fast service,best service,7ilu,7elw,helw,rahib,rheeb,mumtaz,momtaz,wonderful,you guys are great,brilliant',
  congratulation:
    'رمضان كريم,مبارك عليكم الشهر,عيد مبارك,عيدكم مبارك,كل عام وانتم بخير,كل عام وانت بخير,جمعه مباركه,جمعه طيبه,عيد سعيد,ramadan kareem,eid mubarak,happy eid,happy new year,merry christmas,jumma mubarak,ramadan mubarak,blessed friday,have a nice day,have a good day,good night,تصبح علي خير,تصبحون علي خير,bye,goodbye,see you,مع السلامه,في امان الله,باي,ma3a salama,bai,happy national day,كل سنه وانتم طيبين,congratulations,مبروك',
  chat: 'نكته,قول نكته,كم عمرك,شنو اسمك,انت متزوج,شسمك,وش اسمك,tell me a joke,joke,how old are you,whats your name,what is your name,are you married,weather,الجو حار,الجو,حر,حر اليوم,its hot,so hot,im bored,طفشان,ملان,im hungry,جوعان,im thirsty,عطشان,عطشانين,sing,football,الكوره,thirsty',
  wait: 'لحظه,دقيقه بس,ثواني,صبر,اصبر,اصبروا,انتظر,wait,hold on,one sec,one moment,a moment,la7tha,l7tha,l7za,la7da,l7da,lahtha,la7dha,la7za,sec,one minute,thawani,let me think,خلني افكر,افكر',
} as const
