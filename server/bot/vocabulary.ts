import { fold } from '@qatra/contract/text'

/** What a customer can ask for in a text. */
export type CustomerAction =
  | 'menu'
  | 'back'
  | 'greeting'
  | 'order'
  | 'cart'
  | 'checkout'
  | 'orders'
  | 'again'
  | 'cancelOrder'
  | 'arabic'
  | 'english'
  | 'language'
  | 'person'
  | 'yes'
  | 'no'
  | 'thanks'
  | 'more'
  | 'remove'
  | 'clear'
  | 'skip'
  | 'help'
  | 'vendors'
  | 'place'
  | 'edit'
  /** What something costs. */
  | 'price'
  /** Delivery fee and minimum order. */
  | 'fee'
  /** Delivery time. */
  | 'when'
  /** Does not want to order, or not this order. */
  | 'refuse'
  /** Availability. */
  | 'has'
  | 'sameAddress'
  /** `call me`: handoff to staff, or a note for the driver. */
  | 'callMe'

/** Phrases that count only as a whole message, apart from fillers. */
const alone: Readonly<Record<Exclude<CustomerAction, 'has'>, string>> = {
  menu: 'menu,main menu,start,restart,home,القائمة,قائمة,الرئيسية,القائمة الرئيسية,منيو,المنيو,البداية,ابدأ,بداية,qayma,alqaima',
  back: 'back,go back,previous,رجوع,ارجع,رجع,عودة,السابق,للخلف,ورا,irja3,erja3,rujoo3',
  greeting:
    'hi,hello,hey,hiya,hi there,hello there,good morning,good evening,good afternoon,greetings,سلام,السلام,السلام عليكم,سلام عليكم,وعليكم السلام,السلام عليكم ورحمة الله,السلام عليكم ورحمة الله وبركاته,مرحبا,مرحبتين,هلا,هلا والله,اهلا,اهلين,اهلا وسهلا,يا هلا,صباح الخير,صباح النور,مساء الخير,مساء النور,هاي,هلو,الو,شلونك,شلونكم,كيف الحال,كيف حالك,شخبارك,salam,salaam,slm,salam alaikum,salam 3alaikum,assalamu alaikum,salamu alaikum,asalam alaikum,salam alaykum,hala,ahlan,marhaba,mar7aba,shlonak,shlonik,shlonkom,sabah alkhair,sabah al khair,sabah el khair,masa alkhair,masa al khair,شخباركم,شحالكم,صبحكم الله بالخير,مساكم الله بالخير,حياكم الله,قواكم الله,هلا فيكم,مسا الخير',
  order:
    'order,order now,new order,buy,shop,water,start order,place order,i want to order,اطلب,طلب,طلب جديد,طلبية,طلبيه جديده,ابي اطلب,بطلب,اريد طلب,ماء,مي,ماي,مويه,مياه,شراء,تسوق,mai,may,moya,moyah,mayya,maay,talab,a6lob,atlob',
  cart: 'cart,my cart,basket,my basket,show cart,view cart,السلة,سلتي,سلة,سله المشتريات,شنو في السلة,عرض السلة,salla,salti,كم الحساب,جم الحساب,كم المجموع,جم المجموع,كم صار الحساب,total,my total,the total,how much do i pay,how much is it all,كم ادفع,جم ادفع,كم الاجمالي,كم صار,جم صار',
  checkout:
    'checkout,check out,finish,done,that is all,thats all,finish order,complete,complete order,proceed,continue,next,إتمام الطلب,اتمام,اكمل,كمل,نكمل,اكمل الطلب,كمل الطلب,خلاص,بس,بس كذا,بس جذي,بس هذا,كافي,يكفي,تم,انتهيت,خلصت,التالي,khalas,5alas,kamel,kammil,bas,خلاص جذي,هذا كل شي,خلصنا,جذي بس,كافي جذي,nothing else,no thats all,no thats it,thats it,no more,ما ابي شي ثاني,لا ما ابي شي ثاني,مابي شي ثاني,ما ابي غيره,لا بس,لا بس هذا,لا بس جذي,بس شكرا,لا كافي,كافي شكرا,اطلبه,اطلبوه,ابي اخلص الطلب',
  orders:
    'orders,my orders,my order,order status,status,track,track order,track my order,where is my order,wheres my order,طلباتي,طلبي,طلبياتي,حالة الطلب,حاله طلبي,وين طلبي,وين الطلب,اين طلبي,تتبع,تتبع الطلب,متى يوصل طلبي,متى يوصل,talabati,talabi,6alabi,wain talabi,wen talabi,ween talabi,wain 6alabi,وين الماي,وين طلبيتي,الطلب وين,وين صار طلبي,متى بيوصل,متى يوصل الماي,ما وصل الطلب,ما وصلني الطلب,طلبي ما وصل,تأخر الطلب,شصار على طلبي,وينه الطلب,وينه طلبي,وين الطلبية,وين السايق,وين الدريفر,السايق وين,لين الحين ما وصل,ما وصل شي,wainah talabi,wain el talab',
  again:
    'again,repeat,reorder,re order,order again,same again,the same,same,same order,usual,the usual,repeat last order,same as last time,last order,كرر,كرر الطلب,كرر طلبي,كرر اخر طلب,اعد الطلب,اعد اخر طلب,نفس الطلب,نفس الطلب السابق,نفسه,نفس اخر مره,نفس الشي,اطلب مجددا,مثل اخر مره,مثل كل مره,المعتاد,nafs eltalab,nafs altalab,nafs alshay,karrer,kerer,مثل قبل,نفس اللي قبل,نفس كل مرة,نفس المرة اللي طافت,مثل المرة اللي طافت,نفس الطلب اللي طاف,عيد الطلب,عيدوا الطلب,عيد اخر طلب,مثل العادة,كالعادة,نفس طلبي,نفس الطلبية,نفس طلب قبل,نفس قبل,طلبي المعتاد,الطلب المعتاد,nafs el talab,nafs talabi,nafs elshay,same thing,same please',
  cancelOrder:
    'cancel,cancel order,cancel my order,cancel the order,cancel last order,الغاء,الغ الطلب,الغي الطلب,الغاء الطلب,الغ طلبي,الغي طلبي,الغاء طلبي,الغي,كنسل,كنسل الطلب,كنسل طلبي,cancel talabi,elghi,alghi,كنسلوا الطلب,كنسلو الطلب,كنسلوا طلبي,كنسلو طلبي,الغوا الطلب,الغوا طلبي,كنسله,الغيه,هونت عن الطلب,الغوه,الغيته,الغاء الطلبية,كنسل الطلبية,كنسلوه,kansel,kansil,kansel el talab,kanslo,il3i,stop the order,cancel it',
  arabic: 'arabic,in arabic,عربي,العربية,بالعربي,بالعربية,عربية,3arabi,arabi',
  english: 'english,in english,انجليزي,الانجليزية,انقليزي,بالانجليزي,انكليزي,انجليزية,ingleezi,inglizi',
  language: 'language,change language,lang,اللغة,لغة,تغيير اللغة,غير اللغة,بدل اللغة',
  person:
    'agent,human,person,support,operator,staff,employee,representative,customer service,complaint,موظف,شخص,انسان,الدعم,دعم,خدمة العملاء,مساعدة موظف,شكوى,شكوه,اكلم موظف,mowathaf,muwathaf,mwathaf,ابي المدير,وين الموظف,عندي شكوى,عندي مشكلة,حد يرد علي,ابي اكلم واحد',
  yes: 'yes,yes please,yep,yeah,yup,yea,sure,ok,okay,okey,k,confirm,confirmed,agreed,correct,right,fine,good,deal,go ahead,of course,definitely,نعم,ايوه,ايوا,اي,إي,اي نعم,ايه,اه,اوكي,اوك,اوكيه,تمام,تمام التمام,موافق,موافقة,صح,صحيح,اكد,اأكد,أكد الطلب,تأكيد,تاكيد الطلب,أكيد,اكيد,طيب,زين,ماشي,يلا,تم التاكيد,ان شاء الله,انزين,عدل,iwa,eiwa,aiwa,aywa,ee,eee,ay,na3am,naam,tamam,tmam,akeed,akid,zain,zein,mashi,yalla,inzain,👍,👌,✅,✔,خوش,خوش اوكي,صج,حاضر,ابشر,اي والله,اي تمام,yes confirm,yes i do,yes place it,yes order it,place it,confirm it,نعم ابي,نعم اكد,اي اكد,اي ابي,نعم تمام,اي تمام اكد,اكد طلبي,اكدوا الطلب,اكدوه,اكده,توكلنا على الله,توكل على الله,على بركه الله,مضبوط,aiwa akkid,akkid,ok tamam,oki,confirm order,confirm the order,confirm my order,place the order,place my order,yes place the order,yes confirm the order,send it,yes send it,طرشوه,اي طرشوه,اوكي طرشوه,ارسلوه,اي ارسلوه,اي جيبوه,اي اكد الطلب,اكد لي الطلب',
  no: 'no,nope,nah,no thanks,no thank you,not now,dont,do not,لا,لا شكرا,لأ,كلا,مو الحين,ليس الآن,مب الحين,بعدين,خلها,خلاص لا,la,la2,laa,la shukran,mo al7een,👎,❌,لا مشكور,لا مشكورين,مو لازم,مب لازم,لا خلاص,لا خلها,no dont,no do not,no no,لا لا',
  thanks:
    'thanks,thank you,thx,ty,many thanks,thanks a lot,great thanks,شكرا,شكرا جزيلا,مشكور,مشكورين,مشكوره,الله يعطيك العافية,يعطيك العافية,تسلم,تسلمون,جزاك الله خير,ما قصرت,shukran,shokran,mashkoor,mashkor,teslam,tislam,🙏,❤,🌹,يعطيكم العافية,الله يعطيكم العافية,تسلمين,رحم الله والديك,الله يرحم والديك,ما تقصرون,ما قصرتوا,ماقصرتوا,كفو,الف شكر,شكرا لكم,جزاكم الله خير',
  more: 'more,show more,add,add more,more items,other,others,another,المزيد,زيد,زود,اضف,أضف المزيد,اضافة,غيره,غيرها,بعد,باقي,akthar,zeed,zid,ba3ad,ضيف,ضيف لي,زودني,ابي بعد,ابي شي ثاني',
  remove:
    'remove,delete,remove it,delete it,احذف,حذف,شيل,شيله,احذفه,ازل,ازالة,ازله,امسح,sheel,sheela,i7thef,شيلها,شيلوه,شله,احذفها',
  clear:
    'clear,empty cart,clear cart,empty the cart,delete all,remove all,start over,افراغ السلة,افرغ السلة,فرغ السلة,احذف الكل,امسح الكل,شيل الكل,امسح السلة,شيل كل شي,امسح كل شي,فضي السلة',
  skip: 'skip,none,nothing,no notes,nope,no note,تخطي,تخطى,لا يوجد,لا توجد,مافي,ما في,لا شيء,ولا شي,بدون,ماكو,ma fi,mafi,mako,bedoon,ما في شي,مافي شي,مافي ملاحظات,ما عندي,لا مافي,لا ماكو,سلامتك,سلامتكم,لا سلامتك,لا سلامتكم',
  help: 'help,help me,how,how does it work,what can you do,info,information,?,مساعدة,ساعدني,ساعدوني,كيف,كيف اطلب,شلون اطلب,شلون,ايش تسوي,شنو تسوي,معلومات,؟,sa3edni,musa3ada,شلون الطلب,شلون نطلب,كيف الطلب',
  vendors:
    'vendors,brands,companies,change brand,change vendor,other brand,other brands,another brand,العلامات,علامات,الشركات,شركات,غير العلامة,تغيير العلامة,علامة ثانية,شركة ثانية,علامه اخرى,الماركات,شنو عندكم,شنو العلامات,شنو الشركات,شنو الماركات,شعندكم,اي شركات,شنو عندكم ماي,شنو عندك,وش عندكم,ايش عندكم,what brands,what do you have,what brands do you have,shno 3ndkom,shino 3indkum',
  place:
    'location,change location,change address,change place,new address,another address,my location,address,الموقع,موقعي,تغيير الموقع,غير الموقع,العنوان,غير العنوان,تغيير العنوان,عنوان ثاني,عنوان جديد,موقع ثاني,بدل الموقع',
  edit: 'edit,change,modify,update,edit order,change order,تعديل,عدل الطلب,غير,تغيير,بدل,تعديل الطلب,3addel,ghayer',
  price:
    'price,prices,price list,how much,how much is it,cost,rates,سعر,السعر,اسعار,الاسعار,اسعاركم,بكم,بكام,بجم,بچم,كم,جم,بكم هذا,بكم الواحد,كم الواحد,جم الواحد,سعره,سعرها,قائمة الاسعار,ليستة الاسعار,bkam,bkm,bcham,bjam,se3er,si3r,as3ar,asaar,alas3ar',
  fee: 'delivery fee,delivery fees,delivery charge,delivery charges,delivery,minimum,minimum order,free delivery,رسوم التوصيل,سعر التوصيل,التوصيل,توصيل,الحد الادنى,اقل طلب,التوصيل مجاني,التوصيل بفلوس',
  when: 'when,delivery time,متى,متى التوصيل,متى توصلون,متى بتوصلون,متى توصل,اوقات التوصيل,وقت التوصيل,mita,meta,mita twasloon',
  refuse:
    'dont want it,i dont want it,dont want,i dont want,dont order,do not order,never mind,nevermind,stop it,forget it,changed my mind,i changed my mind,ما ابي,ماابي,مابي,ما ابيه,مابيه,ما ابيها,ما ابي الطلب,مابي الطلب,ما ابي اطلب,مابي اطلب,ما ابي شي,مابي شي,ما ابغى,مابغى,ما ابغي,مابغي,ما ابغاه,ما نبي,مانبي,ما بغيت,ما اريد,لا اريد,لا تطلب,لا تطلبون,لا تطلبه,لا تطلبونه,هونت,لا هونت,بطلت,غيرت رايي,mabi,ma abi,ma abeeh,ma abi el talab,ma abgha,ma nabi,la tatlob,la t6lob,hawant',
  sameAddress:
    'same address,the same address,same place,same location,my usual address,نفس العنوان,نفس عنواني,نفس الموقع,نفس المكان,نفس البيت,العنوان السابق,عنواني السابق,nafs el3enwan,nafs al3enwan,nafs elmakan',
  callMe:
    'call me,ring me,كلموني,احد يكلمني,كلمني,اتصل فيني,اتصلوا فيني,اتصل علي,اتصلوا علي,دق علي,دقوا علي,kalmoni,et9el fini',
}

/** Phrases that count anywhere in a sentence. */
const within: Partial<Readonly<Record<CustomerAction, string>>> = {
  person:
    'speak to someone,speak to a person,speak to human,speak to a human,talk to someone,talk to a person,talk to human,talk to a human,real person,real human,customer service,talk to agent,speak to agent,اكلم موظف,اكلم احد,اكلم شخص,كلم موظف,اتكلم مع موظف,اتحدث مع موظف,اتكلم مع احد,اتحدث مع شخص,خدمة العملاء,خدمه الزباين,ابي موظف,اريد موظف,شخص حقيقي,abi mowathaf,akalem mowathaf,akalem a7ad,ابي احد يكلمني,ابغى اكلم احد,ابي اكلم احد,اكلم المدير,abi akalem wahed',
  cancelOrder:
    'cancel my order,cancel the order,cancel order,cancel my last order,الغاء الطلب,الغاء طلبي,الغ طلبي,الغي طلبي,الغي الطلب,الغ الطلب,كنسل الطلب,كنسل طلبي,كنسلوا الطلب,كنسلو الطلب,الغوا الطلب,الغاء الطلبية,kansel talabi,kansel el talab,elghi el talab',
  again:
    'order again,same as last time,repeat my order,repeat the order,repeat my last order,repeat last order,my last order again,my usual,the usual,same order,كرر الطلب,كرر طلبي,كرر اخر,نفس الطلب,نفس طلبي,نفس اخر,مثل اخر مره,مثل المره السابقه,nafs el talab,nafs al talab,نفس الطلب,نفس الطلبية,nafs talabi',
  orders:
    'where is my order,wheres my order,my orders,track my order,status of my order,order status,وين طلبي,وين الطلب,اين طلبي,حالة الطلب,حالة طلبي,متى يوصل طلبي,متى يجي طلبي,طلباتي,wain talabi,ween talabi,wen talabi,ما وصلني,ما وصل الماي,ما وصل طلبي,ما وصل الطلب,وين الطلبية,وينه طلبي,not arrived,hasnt arrived,didnt arrive,has not arrived,didnt receive,havent received,not received,order late',
  clear: 'empty my cart,empty the cart,clear my cart,clear the cart,افرغ السلة,فرغ السلة,امسح السلة',
  cart: 'in my cart,my cart,show cart,سلتي',
  language: 'change language,change the language,تغيير اللغة,غير اللغة',
  english: 'speak english,in english please,بالانجليزي',
  arabic: 'speak arabic,in arabic please,بالعربي',
  place:
    'change my address,change the address,change address,change location,another address,تغيير العنوان,غير العنوان,عنوان ثاني,change the location,بدل العنوان,غير الموقع,عنوان جديد,اغير العنوان,ابدل العنوان,اعدل العنوان,اغير الموقع,اغير المنطقه,change the delivery address',
  order:
    'i want,i need,i would like,id like,can i get,can i have,can i order,to order,order water,buy water,get water,send me,deliver,some water,need water,water please,ابي,ابغي,ابغى,اريد,بغيت,نبي,نبغي,اطلب,عايز,بدي,محتاج,احتاج,ودي,جيبوا,جيب لي,طرشوا,طرش,دزوا,وصلوا,ابا,abi,abgha,abghi,baghait,b3ait,areed,ared,a6lob,atlob,nabi,warsil,jeeb,jeebo,jibo,badi,bidi,6arresh,tarresh,نبا,ابغا,ودنا,خاطري,يبوا لي,يبولي,هاتوا,حطوا لي,حط لي,3a6ni,3atni,ab3a,nebi,jibli',
  remove: 'remove,delete,take out,احذف,شيل,ازل',
  more: 'add,اضف,زيد',
  greeting: 'السلام عليكم,صباح الخير,مساء الخير,salam alaikum,good morning,good evening',
  price:
    'how much,price of,prices of,the price,the prices,what price,your prices,price for,cheapest,بكم,بجم,بچم,كم سعر,كم السعر,جم سعر,جم السعر,كم قيمه,كم حق,جم حق,شكثر سعر,شكثر السعر,سعره كم,سعرها كم,سعر كرتون,سعر الكرتون,سعر غالون,سعر الغالون,سعر قالون,سعر القالون,اسعار,الاسعار,اسعاركم,كم الكرتون,جم الكرتون,كم الكارتون,كم الغالون,جم الغالون,كم القالون,جم القالون,كم الحبه,جم الحبه,ارخص,يكلف,bkam,bkm,bcham,bjam,kam se3r,kam si3r,cham se3r,cham si3r,kam el karton,cham el karton,kam karton,se3r,si3r,as3ar',
  fee: 'delivery fee,delivery charge,delivery cost,how much is delivery,how much is the delivery,how much for delivery,price of delivery,minimum order,free delivery,delivery free,رسوم التوصيل,سعر التوصيل,كم التوصيل,جم التوصيل,بكم التوصيل,بجم التوصيل,التوصيل بكم,التوصيل بجم,التوصيل مجاني,توصيل مجاني,التوصيل ببلاش,الحد الادنى,اقل طلب,اقل شي اطلب,kam el tawseel,bkam el tawseel,cham eltawseel',
  when: 'when do you deliver,when can you deliver,when will you deliver,how long does delivery,when is delivery,متى توصلون,متى بتوصلون,متى التوصيل,كم ياخذ التوصيل,متى يجي الماي,mita twas,meta twas,توصلون اليوم,توصلون الحين,توصلون باجر,توصلون بكره,يوصل اليوم,بتوصلون اليوم,توصيل اليوم,التوصيل اليوم,deliver today,deliver tomorrow,delivery today,same day delivery,come today',
  checkout:
    'ما ابي شي ثاني,مابي شي ثاني,ما ابغى شي ثاني,ما نبي شي ثاني,dont want anything else,dont need anything else,ma abi shay thani',
  refuse:
    'dont want,do not want,dont need,do not need,dont order,do not order,dont place,do not place,dont confirm,do not confirm,dont send,do not send,dont deliver it,do not deliver it,dont add,do not add,no longer want,no longer need,not ordering,not interested,changed my mind,ما ابي,ماابي,مابي,ما ابيه,مابيه,ما ابغى,مابغى,ما ابغي,مابغي,ما ابغاه,ما نبي,مانبي,ما نبغي,ما اريد,لا اريد,لا نريد,ما احتاج,لا احتاج,مو محتاج,مب محتاج,ما بطلب,ما اطلب,لا اطلب,ما راح اطلب,مب طالب,هونت,بطلت,mabi,ma abi,ma abgha,ma nabi,ma abghi,ma areed,ma ared',
  no: 'dont cancel,do not cancel',
  edit: 'change my order,change the order,edit my order,edit the order,اعدل الطلب,اعدل طلبي,اغير الطلب,اغير طلبي,تعديل الطلب,3addel el talab',
  has: 'do you have,do you sell,have you got,is there any,عندكم,عندك,يتوفر,متوفر عندكم,فيه عندكم,3ndkom,3indkum,3indkom',
}

const phrasesOf = (lists: Partial<Readonly<Record<CustomerAction, string>>>) =>
  (Object.entries(lists) as [CustomerAction, string][]) // keys of the table above
    .flatMap(([action, list]) => list.split(',').map((phrase) => ({ action, words: wordsIn(fold(phrase)) })))

export const aloneByPhrase: ReadonlyMap<string, CustomerAction> = new Map(
  phrasesOf(alone).map(({ action, words }) => [words.join(' '), action]),
)
/** Longer phrases first, since they are more specific. */
export const withinPhrases = phrasesOf(within)
  .map(({ action, words }) => ({ action, phrase: words.join(' ') }))
  .sort((a, b) => b.phrase.length - a.phrase.length)

const setOf = (list: string) => new Set(list.split(' ').map(fold))

/** Filler words without meaning of their own. */
export const fillers = setOf(
  'please pls plz kindly thanks the a an my to just me you it is am are this for of then so now well oh hey hi dear sir bro من فضلك لو سمحت سمحتي سمحتوا سمحتون رجاء الرجاء يا اخوي اخي خوي حبيبي عزيزي انا لي لك بس شوي الحين الان شكرا اذا ممكن الله يخليك law sama7t lw sm7t min fadlak ya akhoi habibi 7abibi ana',
)

/** Words around a place that are not part of its name. */
export const aroundPlaces = setOf(
  'i im am live living in at near from the area of location my place is to deliver delivery our house home we are here address انا في من بمنطقه منطقه المنطقه ساكن ساكنه اسكن قريب جنب يم بيتي البيت بيت عند صوب احنا نحن موقعي عنواني الى لمنطقه ana fi min sakin saken bait baiti yam mantiqa',
)

/** Words for packs, and the Arabic dual. */
export const packs = setOf(
  'carton cartons cartoon cartoons box boxes pack packs packet packets piece pieces case cases bottle bottles unit units crate crates pcs pc ctn ctns كرتون كراتين كرتونه كرتونة كراتين كارتون كارتونه صندوق صناديق حزمه حزم ربطه ربطات علبه علب شده شدات حبه حبات قطعه قطع قنينه قناني بطل بطول غرشه غراش kartoon karton karateen karatin cartona kartona 7abba 7abbat sandoog krateen kratin karton cartoons كراتن كرطون كراطين حبايه',
)
export const pairsOfPacks = setOf(
  'كرتونين كارتونين كرتونتين صندوقين حزمتين ربطتين علبتين شدتين حبتين قطعتين قنينتين بطلين غرشتين kartonain kartonein kartonen kartoonein cartonain cartonein kartoonain',
)
/** Words of negation. */
export const deniers = setOf('ما مو مب مهب مش not dont never didnt wont ma mo mub')
/** Words of wanting. */
export const wanting = setOf('ابي ابغي ابغا نبي نبغي اريد بغيت want need abi abgha abghi nabi')
export const gallons = setOf(
  'gallon gallons galon galons غالون غالونات غوالين جوالين قوالين گوالين الغالون الجالون القالون الگالون الدبه جالون جالونات قالون قالونات گالون گالونات قلن قلنات دبه دبات galoon galoonat dabba',
)
export const pairsOfGallons = setOf('غالونين جالونين قالونين گالونين قلنين دبتين galonain galoonain')
export const litres = setOf('l lt ltr litre litres liter liters litir letr leter litr لتر لترات ليتر ليترات ltrs')
export const millilitres = setOf('ml mls millilitre millilitres milliliter milliliters مل ملي ملل مليلتر ملليلتر mil')
export const halfWords = setOf('half نص نصف nos nus')
export const andAHalf = setOf('ونص ونصف w nos')

/** Words that distinguish Arabizi from English. */
export const arabizi = setOf(
  'abi abgha abghi abghy baghait areed nabi mai moya moyah maay mayya salam slm salaam hala marhaba mar7aba shlonak shlonik shlonkom wain wen ween talab talabi talabati 6alabi karton kartoon kartonain karateen na3am naam aiwa aywa eiwa iwa tamam zain zein mashi yalla shukran shokran mashkoor teslam khalas 5alas la2 mafi mako ba3ad sheel ana inta enta shno shnu cham kam bkam bcham alhin al7een bukra bacher atlob a6lob jeeb jeebo habibi 7abibi inshallah wallah galoon galoonat mowathaf irja3 erja3 nafs ahlan sabah masa bedoon akeed inzain mabi bjam bkm se3r si3r el elkarton tawseel kansel krateen nus nos jibli nebi mita akkid',
)
/** Used in every language. */
export const neutral = setOf('ok okay k menu stop start hi hello x')
export const english = setOf(
  'i the a an want need water please order my is are you have can could would like to and cart cartons carton bottles bottle where when what how hello hi hey good morning evening thanks thank yes no not deliver delivery address change cancel repeat again more show help speak english two three four five six seven eight nine ten dozen gallon gallons checkout brands language person agent live house road block building flat',
)

export function wordsIn(folded: string): string[] {
  const written = folded.replace(/['’‘ʼ`]/g, '')
  return (
    written.match(/\d+(?:[.,٫]\d+)?\p{L}+[\p{L}\p{N}]*|\d+(?:[.,٫]\d+)?|[\p{L}][\p{L}\p{N}]*|[👍👌✅✔👎❌🙏❤🌹?؟]/gu) ??
    []
  )
}
