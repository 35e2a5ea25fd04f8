/**
 * Words for actions: what a customer wants done, agrees to, refuses or asks. The format is that of vocabulary.things.ts.
 */
export const actions = {
  want: 'ill take,i will take,we will take,ill have,i will have,باخذ,بناخذ,ناخذ,bakhith,ba5ith,chahiye,chahie,gusto ko,gusto po,mag order,pa order,pabili,ابي,ابيها,ابيه,ابيهم,نبيها,نبيه,نبيهم,ابغاها,ابغاه,ابغاهم,abeeha,abeeh,abihom,abeehom,abeehum,abihum,nabihom,nabeeha,ابي لي,ابغي,ابغا,ابا,نبي,نبغي,نبغا,نبا,تبي,اريد,نريد,بغيت,ودي,ودنا,خاطري,محتاج,محتاجه,محتاجين,احتاج,نحتاج,احتاجها,نحتاجها,نحتاجه,n7taj,n7tajha,n7tajah,ni7tajha,عايز,عاوز,عايزه,عاوزه,عايزين,عاوزين,هاخد,حاخد,يبي,يبغي,تبغي,yabi,tabi,yabghi,tabghi,بدي,ممكن,لو سمحت ابي,want,wanna,need,needs,wants,would like,id like,like to,i would like,get me,give me,can i get,can i have,could i have,may i have,can you send,could you send,abi,abe,aby,abii,abgha,abghi,abghy,abga,ab3a,abgha,nabi,nebi,naby,areed,ared,bghait,baghait,bghet,badi,bidi,widi,mumkin,momkin,mmkn,wnt,wanted to',
  bring:
    'bhejo,bhej do,bhejna,lao,le aao,padala,pahatid,√جيب,√طرش,√دز,تييبون,ييبوا,ييبولي,ابعت,ابعتوا,ابعتلي,ابعتولي,arsloo,arslo,arsil,ersloo,irsloo,6arsho,6arshow,جيبوا لي,وصلوا لي,وصلولي,وصل لي,يبوا,يبو لي,يبولي,هاتوا,هات,عطني,عطوني,عطنا,اعطني,اعطوني,send me,send,bring,bring me,deliver me,get,jeeb,jeebo,jibo,jibli,jeebli,jiblna,tarish,tarresh,6arish,6arshaw,6arisho,3atni,3a6ni,3a6oni,wasloli,ship,give us',
  order:
    '√طلب,طلبيه,الطلب,طلب,طلبات,order,orders,ordering,purchase,buy,buying,ordr,oder,oredr,atlob,a6lob,atlub,atleb,talab,6alab,talabiya,6alabiya,طلبيتي,طلبيات,اشتري,شراء,نشتري',
  myOrder:
    'orders,طلبي,طلبياتي,طلبيتي,طلباتي,طلبنا,الطلبيه,my order,my orders,our order,the order,talabi,6alabi,talabati,6alabati,6alabiti,talabiti,my ordr,my oder,مايي,الماي مالي,my delivery,my water,my parcel,my stuff',
  ordered: 'طلبت,طلبنا,طالب,طالبين,طالبه,طلبته,طلبتها,ordered,i ordered,we ordered,6alabt,talabt,6alabna,paid for',
  add: '7o6,7o6li,7o6 li,7o6o,7a6,7a6li,7e6,7e6li,t7e6,t7e6li,t7o6,a7e6,حطي لي,حطي,حطهم,حطها,حطه,zeedli,azeed,nzeed,ازود,نزود,تزود,تزودون,تزودوني,زيد,زيدي,زيدوا,زيدو,زيدلي,زيد لي,زيدني,زيدها,زيده,زود,زودوا,زودني,زودها,زوده,زودلي,زيادة,زياده,ضيف,ضيفي,ضيفوا,ضيفلي,ضيف لي,ضيفها,ضيفه,اضف,اضيف,اضيفوا,تضيف,تضيفون,تزيد,تزيدون,ازيد,نزيد,حط,حطوا,حطلي,حط لي,احط,تحط,تحطون,وايد بعد,ودخل,add,adding,plus,put,include,increase,extra,another,more of,zeed,zeedo,zid,zido,zawed,zawid,zed,dheef,thaif,theef,dhaif,i want more,more,additional,throw in',
  again2: 'بعد,كمان,ايضا,ba3ad,baad,kaman',
  less: 'خفف,خففوا,خففها,نقص,نقصوا,نقصها,نقصه,انقص,تنقص,تنقصون,ننقص,قلل,قللوا,قللها,قلله,تقلل,نزل,نزلها,نزله,less,reduce,decrease,lower,minus,naqqes,naqe9,naqi9,na8e9,naqes,naggi9,nagge9,nagi9,na8i9ha,naggi9ha,naq9,nagis,nagg9,naggis,na8i9,na8es,na8is,galil,gallil,qallel,fewer,take off,knock off',
  remove:
    'شيل,شيلي,شيلوا,شيلو,شيله,شيلها,شيلهم,شيلوه,شيلوها,اشيل,تشيل,تشيلون,شل,شله,شلها,احذف,احذفي,احذفوا,احذفه,احذفها,تحذف,نحذف,حذف,امسح,امسحي,امسحها,امسحه,ازل,ازاله,طلع,طلعوا,طلعها,remove,delete,take out,take away,drop,erase,sheel,shil,sheeli,sheelo,sheela,sheelha,shilha,i7thif,i7thef,e7thef,emsa7,remov,delet,get rid of,take off the,leave out',
  without: 'بدون,من غير,من دون,بلا,without,bidoon,bedoon,except,excluding,ما عدا',
  rest: 'الباقي,باقي,البقيه,بقيه,الباجي,الثانيين,غيره,غيرها,غيرهم,the rest,rest,the others,others,the other,the other one,the other ones,everything else,anything else,all else,other ones,other one,others,il baqi,el baqi,el bagi,il bagi,elbagi,elbaqi,el bajee,ilbagi',
  keepAt:
    'keep,غير الكميه,عدل الكميه,غير العدد,عدل العدد,change the quantity,change quantity,update quantity,قصدي,اقصد,قصدت,i meant,i mean,meant,8a9di,ga9di,gasdi,خلها,خله,خليها,خليه,خلهم,خليهم,صيرهم,صيره,خلوها,خلوه,خلوهم,خل,خلي,خلوا,سوها,سوه,سويها,سويه,سووها,سوهم,سوي,صيرها,خلهاا,صلحها,make it,make them,make that,make the,make,change it to,change to,change the quantity to,keep it,keep them,set,set it to,set to,update to,5alha,5al,5ali,5aliha,5alo,5alow,5aloha,5alhom,5alhum,khalo,khalow,khalhom,khalhum,khalha,khal,khall,khalli,khalh,khalih,khaliha,khalli,khaleeha,khalaha,sawha,sawwha,sawweha,sawiha,sawih,only make,just make,should be,يصير,تصير,انها,يكون,تكون',
  swap: 'بدل,بدال,بداله,بدالها,بدالهم,بدله,بدلها,بدلوا,بدلو,بدلهم,بدلي,ابدل,ابدلوا,تبدل,تبدلون,نبدل,استبدل,استبدال,عوض,مكان,instead of,instead,replace,swap,switch,switched,exchange it,rather than,badel,baddel,badil,badal,baddil,badlo,badelhom,badlhom,badelha,badlha,badalha,bdalha,badalhom,bdl',
  reverse:
    'اعكس,اعكسها,اعكسهم,عكسها,عكسهم,اقلبها,اقلبهم,اقلب الكميات,بدل الكميات,بدلهم مع بعض,swap the quantities,swap quantities,swap the numbers,switch the quantities,switch them around,swap them around,swap them,flip them,i3kisha,e3kisha,3akshom,3akisha,e3kshom,e3kishom,eqlebha,igleb el kmiyat,العكس,بالعكس,el3aks,el 3aks,bel3aks,3aks,other way round,the other way round,other way around,the other way around,vice versa',
  change:
    'غير,غيري,غيروا,غيرو,غيرها,غيره,اغير,نغير,تغير,تغيرون,تغيير,عدل,عدلوا,عدلي,اعدل,نعدل,تعدل,تعدلون,تعديل,عدلها,change,edit,modify,update,amend,adjust,chnge,chang,ghayer,ghayyer,aghayer,ghayir,a3ayer,a8ayer,aghayir,3adel,3addel,a3adel,ta3deel,changing',
  undo: 'تراجع,اتراجع,تراجعت,رجعها,رجعه,رجعهم,ردها,رده,رجع اللي شلته,رجع الطلب مثل ما كان,مثل ما كان,مثل ما كانت,رجعها مثل قبل,undo,undo that,undo it,revert,put it back,bring it back,put them back,go back to before,as it was,taraja3,tara9u3,raj3ha,rja3ha,rji3ha,undo last,unedo',
  empty: 'فرغ,فرغوا,فرغها,افرغ,افراغ,تفريغ,فضي,فضيها,صفر,صفرها,empty,clear,reset,farregh,fari8,farigh,fa9i,wipe',
  all: 'كل,كلها,كله,كلهم,كل شي,كلشي,الكل,جميع,كامل,everything,all,all of it,all of them,whole,entire,kil shay,kilshay,kel shay,kul shay,el kil,kilha,kelha',
  cart: 'سله,السله,سلتي,سله المشتريات,العربه,عربتي,شنو في السله,شنو بالسله,cart,my cart,basket,trolley,salla,salti,alsalla,bag',
  total:
    'المبلغ,مبلغ,المجموع,مجموع,الاجمالي,اجمالي,الحساب,حسابي,كم صار,جم صار,كم الحساب,جم الحساب,كم علي,جم علي,كم عليي,جم عليي,كم ادفع,جم ادفع,كم طلع,جم طلع,كم صاروا,كم يطلع,جم يطلع,total,how much do i pay,how much all,how much is it all,how much in total,subtotal,sum,majmoo3,7sab,el7sab,al7sab,7isabi',
  done: 'close the order,close order,do the needful,finalise,finalize,bas itna,bas ho gaya,yun lang,yun lang po,ok na po,ما ابي شي ثاني,ما ابغي شي ثاني,ما نبي شي ثاني,مابي شي ثاني,ما ابي غيره,ما ابي شي غيره,ما ابي غير هذا,dont want anything else,do not want anything else,dont need anything else,ma abi shay thani,mabi shay thani,لا شي ثاني,نزل الطلب,نزلوا الطلب,ready,im ready,thats everything,that is everything,thatll be it,that will be it,thats about it,nothing more,no thats fine,no im good,no im fine,خلاص,خلصت,خلصنا,خلص,بس جذي,بس كذا,بس هذا,جذي بس,بس هذي,هذا كل شي,هذا اللي ابيه,هذا هو,كافي,يكفي,انتهيت,تم,اتمام,كمل,نكمل,اكمل,كملوا,كمل الطلب,التالي,checkout,check out,check me out,chekout,chechout,checkot,ceckout,checkuot,chckout,proceed,finish,finished,complete,done,thats all,that is all,thats it,that is it,that will be all,thatll be all,nothing else,no more,im good,im done,next step,continue,continue please,khalas,5alas,khlas,5la9,khala9,5ala9,kammil,kamel,kamil,kammel,bas chithi,bs chithi,bs chidhi,bs jithi,bs hatha,bas chidhi,bas jithi,bas hatha,kafi,kaafi,yakfi,اطلبه,اطلبوه,place my order,place the order,place order,ready to order,ready to pay,ثبت,ثبت الطلب,ثبتوا الطلب,اعتمد,اعتمدوا,اعتمدوه,انهاء,انهي,نهيت,نتمم,تمم,اتمم,submit,lets finish',
  only: 'بس,فقط,bas,just,only',
  but: 'لكن,بس مع,but,with,مع,walakin,lakin',
  confirm:
    '√اكد,place my order,place the order,place order,place it,submit,اعتمد,اعتمدوا,اعتمدوه,اكد,اكدوا,اكدها,اكده,اكدوه,اكدلي,أأكد,تاكيد,ااكد,نعم اكد,مؤكد,confirm,confirmed,confrim,comfirm,cnfirm,conform,approve,send it,book it,akkid,akid,akked,akkdo,akdo,akked,ta2keed,ta2kid,ارسلوا الطلب,طرشوا الطلب,رسلوا الطلب,ارسل الطلب,send the order,طرشوه,ارسلوه,جيبوه,توكلنا,توكل,توكلنا علي الله,توكل علي الله,علي بركه الله',
  yes: 'متاكد,متاكده,mt2kd,mit2akid,mta2akid,mit2aked,تم,haan,haan ji,theek hai,thik hai,acha,accha,sige,sige po,y,e,opo,oo po,thats fine,thats ok,thats okay,نعم,ايوه,ايوا,اي,ايه,إي,اه,اوكي,اوك,اوكيه,اوكى,تمام,موافق,موافقه,صح,صحيح,اكيد,طيب,زين,ماشي,يلا,يالله,انزين,عدل عليك,خوش,صج,حاضر,ابشر,مضبوط,بالضبط,يب,يس,yes,yep,yeah,yup,yea,ya,yess,sure,ok,okay,okey,oki,okk,k,kk,agreed,agree,correct,right,fine,deal,go ahead,go a head,of course,definitely,perfect,great,good,alright,all right,absolutely,exactly,iwa,eiwa,aiwa,aywa,ee,eee,ay,eeh,na3am,naam,n3m,tamam,tmam,tammam,akeed,zain,zein,zen,mashi,yalla,yallah,inzain,5osh,khosh,sa7,sah,👍,👌,✅,✔,مب مشكله,مو مشكله,عادي,ان شاء الله,inshallah,ok ok,sounds good,looks good,thats right,thats correct,go for it',
  no: 'nahi,nahin,hindi po,n,لا,لأ,كلا,لالا,no,nope,nah,noo,not now,la,la2,laa,laah,مو الحين,مب الحين,مش الحين,ليس الان,بعدين,مو لازم,مب لازم,ما يحتاج,mo al7een,mb al7een,not yet,👎,❌,no thanks,no thank you,la shukran,لا شكرا,لا مشكور,لا مشكورين,later,ba3dain,ba3den,ba3deen',
  not: 'nobody,noone,no one,محد,محدا,m7ad,ما,مو,مب,مهب,مش,موب,ماني,ليس,مافي,ماكو,ماله,not,dont,never,didnt,hasnt,havent,isnt,wasnt,wont,doesnt,cant,cannot,arent,werent,nothing,ma,mo,mub,mb,mob,msh,mish,do not,did not,has not,have not,is not,was not,does not,no longer,dnt,didint,dosnt',
  cancel:
    '√كنسل,الغي,تلغونه,تلغونها,تلغيه,تلغيها,الغه,الغ,الغاء,الغوا,الغو,الغيه,الغوه,الغيها,الغوها,يلغي,تلغي,تلغون,نلغي,الغيت,الغيته,ملغي,كنسلت,cancel,cancle,cancell,canel,cancell,cancelled,cancelation,cancellation,cancl,canceling,kansel,kansil,kanslo,kansle,kanslaw,kancel,knsl,elghi,el3i,il8i,il3i,alghi,ilghi,lghi,il5i,nlghi,void',
  nevermind:
    'wrong chat,wrong group,wrong window,keep my cart,keep my cart as is,keep the cart as is,leave my cart,leave my cart as is,شات غلط,محادثه غلط,غلطت في المحادثه,غلطت في الشات,chat ghala6,chat ghalat,امزح,نمزح,امزح معاكم,امزح وياكم,اتغشمر,اتغشمر معاكم,amza7,amzah,atghashmar,jk,just kidding,im kidding,kidding,just joking,im joking,joking,leave it,leave them,no keep it,keep it as it is,keep as is,drop it,skip it then,هونت,هونا,بطلت,غيرت رايي,صرفت نظر,never mind,nevermind,forget it,changed my mind,i changed my mind,hawant,hawnt,hawana,stop it,انسي,انساه,انسوا,خلها عليك,مب بغيان,مثل ما هي,مثل ما هو,مثل ما كانت,زي ما هي,as it is,as it was,leave it as it is,mithl ma hi,not interested,mab3iyan,nvm',
  again:
    'كرر,كرروا,كرري,تكرار,اعد,اعيد,عيد,عيدوا,عيدها,عيده,مره ثانيه,نعيد,المعتاد,كالعاده,مثل العاده,العاده,again,repeat,reorder,re order,usual,the usual,my usual,karrer,kerrer,karir,kerer,3eed,3eedo,3ido,ka al3ada,mithl el3ada',
  same: 'نفس الحجم,بنفس الحجم,نفس المقاس,same size,the same size,nafs el 7ajm,nafs el hajm,nafs il 7ajm,نفس النوع,نفس العدد,نفس الكميه,nafs el no3,nafs el 3adad,nafs el kmiya,same quantity,same qty,same number,same amount,same one,نفس,نفسه,نفسها,مثل,زي,same,nafs,nfs,nafsa,mithl,mthl,mathal,zay,like',
  last: 'before,اخر,السابق,السابقه,اللي طاف,اللي طافت,الماضي,الماضيه,اللي قبل,قبل,المره اللي طافت,last,previous,past,last time,prior,a5er,akher,ilitaf,elli6af,gabil,a5ir',
  time: 'مره,المره,كل مره,اخر مره,time,marra,mara,kil marra',
  where:
    'kaha,kahan,kidhar,nasaan,nasan,اتابع,اتتبع,متابعه,where r u,where are you,where u,وين,وينه,وينها,وينكم,فين,اين,where,wheres,where is,wher,whre,wain,wen,ween,wein,wainah,wainha,wainkom,wenkom,وصل وين,وين صار,track,tracking,trak,تتبع,trace',
  status: 'حاله,حالة,وضع,شصار,شصار علي,شنو صار,صار,status,progress,update on,any update,any news,اخبار,7alat,7alah',
  arrive:
    '√وصل,وصلت,واصل,√جي,جا,جاء,جاني,جاكم,ياني,يا السايق,يجي,يجون,يوصلني,وصلني,وصلتني,وصلنا,وصلتنا,استلمت,استلمنا,استلمته,جاب,جابوا,جابوا لي,sent,brought,gave me,you gave,arrive,arrived,arriving,arrives,come,came,coming,receive,received,recieved,recived,delivered,got,reach,reached,show up,showed up,turn up,wasal,wa9al,wesal,yosal,yoosal,ywasal,yiwsal,wasil,istalamt,stelamt,wasalni,wa9alni',
  deliver:
    'توصيل,التوصيل,توصلون,توصلونه,توصلونها,توصلوا,توصل,بتوصلون,نوصل,اوصل,وصلوا,يوصلون,deliver,delivery,delivering,deliveries,delivry,delivary,dilivery,delever,delivrey,shipping,twasloon,twaslon,twasilon,twa9loon,twasloun,towasloon,tawseel,tawsil,taw9eel,tw9eel,twsel,توصلين',
  driver:
    'سايق,السايق,الدريفر,دريفر,المندوب,مندوب,السواق,driver,delivery guy,delivery man,sayeq,sayig,dreiwel,دريول,الدريول',
  when: 'kab,kailan,anong oras,كم ياخذ,جم ياخذ,كم يوم,جم يوم,خلال كم,how long,how fast,how soon,متي,متا,متى,اي وقت,اي ساعه,when,whens,wen will,mita,meta,mata,mta,what time,which time,what day,which day,eta,اي يوم,شوقت,وقت',
  howMuch:
    'kitna,kitne,kitni,kitna hai,kitne ka,kya rate,magkano,كم سعر,كم السعر,بكم,بجم,بچم,بكام,جم سعر,جم السعر,شكثر,شكد,سعر,السعر,سعره,سعرها,اسعار,الاسعار,اسعاركم,اسعارها,تكلفه,يكلف,يطلع,قيمه,القيمه,غالي,ارخص,رخيص,ليسته,كم حق,how much,hw much,price,prices,pricing,cost,costs,rate,rates,price list,pricelist,prise,prce,costly,pricey,mehnga,mahal,غاليه,cheap,cheapest,cheaper,expensive,charge,charges,bkam,bkm,bcham,bjam,bikam,bicham,se3r,si3r,se3er,as3ar,asaar,s3r,sa3ar,kam se3r,أرخص',
  how: 'شلون,كيف,how,شلونه,shlon,kaif,kef,طريقه,how to,how do i,how can i,how do',
  howMany: 'كم,جم,چم,how many,kam,cham,jam,hw many,chem',
  what: 'kya,kya kya,ano,ano po,show me,show,وريني,ورني,شنو,شنهو,ايش,وش,شو,شكو,شنهي,ما هو,ما هي,what,whats,which,wich,wat,shno,shnu,shino,shinu,shinhu,shnhu,ay,اي نوع,اي شي,ايش عندكم,شنو عندكم',
  why: 'ليش,لماذا,لشنو,why,laish,lesh,leish',
  who: 'من انت,منو,منهو,مين,who,mnu,mino,meno,minu',
  whether:
    'can it,could it,will it,هل,واذا,اقدر,نقدر,تقدر,تقدرون,يصير,can i,can you,can we,could you,do you,does,is it,is there,are there,are you,will you,did you,agdar,a8dar,aqdar,tgdaron,tagdar,possible,do u,can u,are u,is the,allowed,if',
  have: 'hai kya,milega,milta hai,meron,meron po,may,عندكم,عندك,عندكن,لديكم,يتوفر,متوفر,متوفره,موجود,موجوده,موجودين,تبيعون,فيه عندكم,في عندكم,do you have,do you sell,have you got,do u have,u have,got any,sell,available,in stock,availability,stock,3ndkom,3indkum,3indkom,3ndkm,3endkom,3endkm,indkom,mawjood,mawjod,mitwafer,have you,you have,any of',
  inCarton:
    'في الكرتون,بالكرتون,في الكارتون,بالكارتون,فالكرتون,داخل الكرتون,الكرتون فيه كم,الكرتون فيه جم,in a carton,in the carton,per carton,in one carton,in a box,in each carton,in a pack,per box,per pack,in carton,bil karton,fil karton,في كل كرتون,الكرتون كم حبه,الكرتون جم حبه,كرتون كم حبه,الكرتون كم غرشه,في الشده,بالشده',
  correction:
    'العكس,بالعكس,el3aks,el 3aks,bel3aks,3aks,other way round,the other way round,other way around,the other way around,vice versa,3afwan,3fwan,afwan,2a9dy,2a9di,2asdi,qa9di,qasdy,gasdy,ga9dy,g9di,8asdi,rather,قصدي,اقصد,اعني,عفوا,اسف,اسفه,غلطت قصدي,i mean,i meant,meant,i said,actually,sorry,sry,correction,qasdi,gasdi,gi9di,ga9di,asdi,asef,asf,asfa,asfeen,aseef,a8sid,aqsid,agsid,asif',
  menu: 'start over,منيو,المنيو,القائمه,قائمه,القايمه,قايمه,الرئيسيه,البدايه,بدايه,ابدا من جديد,نبدا من جديد,menu,main menu,start again,restart,home page,qayma,alqaima,options,الخيارات',
  back: 'رجوع,ارجع,رجع,السابق,للخلف,ورا,خطوه ورا,go back,back,previous step,irja3,erja3,rujoo3,rju3,rejoo3,rja3',
  help: 'سوال,عندي سوال,استفسار,عندي استفسار,ابي اسال,question,i have a question,مساعده,ساعدني,ساعدوني,ساعدوني,تساعدني,معلومات,معلومه,help,help me,info,information,how does it work,what can you do,sa3edni,sa3dni,musa3ada,assist,assistance,شتسوي,شنو تسوي,ايش تسوي,شلون اطلب,شلون الطلب,شلون نطلب,كيف اطلب,كيف الطلب,how to order,how do i order,how can i order,shlon atlob,shlon a6lob',
  person:
    'speak with,talk with,صاحب الشركه,صاحب المحل,ابي احد,ابي حد,owner,موظف,الموظف,موظفه,موظفين,موظفكم,شخص,المدير,مدير,مديركم,خدمه العملاء,خدمه الزباين,الدعم,الدعم الفني,دعم,احد يرد,حد يرد,احد يكلمني,حد يكلمني,واحد يكلمني,احد يساعدني,اكلم احد,اكلم واحد,اكلم حد,اكلم شخص,اكلم,نكلم,اتكلم,اتحدث,شخص حقيقي,بشر,اتكلم مع احد,اتكلم مع حد,المسؤول,مسؤول,مسئول,agent,a human,human,real person,person,someone,somebody,support,operator,staff,employee,representative,customer service,customer care,manager,supervisor,speak to,talk to,humen,mowathaf,muwathaf,mwathaf,mwadhaf,mowadhaf,mudeer,modeer,mas2ool,akalem wahed,akalem a7ad,akallem,akalim a7ad,a7ad yikallimni,خدمه عملاء,live chat,real human,agant',
  callMe:
    'يتصل فيني,يتصلون فيني,يتصل علي,احد يتصل,حد يتصل,يدق علي,اتصل فيني,اتصلوا فيني,اتصل علي,اتصلوا علي,اتصلوا بي,اتصل بي,كلموني,كلمني,دق علي,دقوا علي,تتصلون فيني,تدقون علي,رنوا علي,call me,ring me,phone me,give me a call,call back,callback,kalmoni,kallimooni,et9el fini,it9lo fini,et9lo fini,dig 3alay,digo 3alay,call us',
  greeting:
    'mornin,صباحو,صباحو الخير,مساؤو,9ba7o,sba7o,sabaho,sabahoo,👋,سلام,السلام,السلام عليكم,سلام عليكم,عليكم السلام,ورحمه الله,وبركاته,مرحبا,مرحبتين,مراحب,هلا,هلا والله,هلو,هاي,اهلا,اهلين,وسهلا,يا هلا,صباح الخير,صباح النور,صباحكم,مساء الخير,مسا الخير,مساء النور,مساكم,صبحكم الله بالخير,مساكم الله بالخير,شلونك,شلونكم,شلونج,كيف حالك,كيف حالكم,كيف الحال,شخبارك,شخباركم,شحالك,شحالكم,الو,حياكم الله,حياك الله,قواكم الله,قواك الله,الله يقويكم,الله بالخير,الله يساعدكم,عساكم بخير,كيفكم,كيفك,hi,hii,hello,helo,hey,hiya,heya,hallo,good morning,good evening,good afternoon,good day,greetings,how are you,how r u,how are u,hows it going,whats up,salam,salaam,slm,salams,salam alaikum,salam 3alaikum,assalamu alaikum,assalam alaikum,asalam alaikum,salamu alaikum,alaikum,3alaikum,hala,halla,hala wallah,ahlan,ahlain,marhaba,mar7aba,shlonak,shlonik,shlonkom,shlonkm,shakhbarkom,sha5barkom,sh5bark,sabah el khair,sabah al khair,sabah alkhair,saba7 el5air,masa el khair,masa al khair,masa alkhair,masa el5air,hru,morning,evening,wassup,يا مرحبا,يسعد صباحك,يسعد مساك',
  thanks:
    'الله يرحم والديكم,الله يرحم والديك,رحم الله والديكم,رحم الله والديك,يبارك فيكم,يبارك فيك,ويبارك فيكم,الله يعافيك,الله يعافيكم,شكرا,شكرا جزيلا,مشكور,مشكورين,مشكوره,الله يعطيك العافيه,يعطيك العافيه,يعطيكم العافيه,الله يعطيكم العافيه,تسلم,تسلمون,تسلمين,تسلمو,جزاك الله خير,جزاكم الله خير,ما قصرت,ما قصرتوا,ما قصرتو,ما تقصرون,كفو,ماقصرت,ماقصرتوا,رحم الله والديك,رحم الله والديكم,الله يرحم والديك,الف شكر,كثر الله خيركم,thanks,thank you,thank u,thx,thnx,tnx,thnks,ty,many thanks,thanks a lot,cheers,appreciated,appreciate it,shukran,shokran,shukra,mashkoor,mashkor,mashkoreen,teslam,tislam,ma gasart,ma gasartaw,ma gasartoo,ma gasartu,magasart,magasartaw,magasartu,ma 8asartaw,ma qasarto,ma qasart,ma 8asart,ma qasartaw,🙏,❤,🌹,💙,grateful',
  skip: 'تخطي,تخطى,لا يوجد,لا توجد,ولا شي,لا شيء,مافي شي,ما في شي,ما عندي,ماعندي,مافي ملاحظات,ما في ملاحظات,ماكو شي,ماكو ملاحظات,سلامتك,سلامتكم,ما في,skip,none,no notes,no note,nothing to add,nothing,no instructions,mafi,ma fi,mako,mafi shay,salamtik,salamatkom',
  more: 'المزيد,زياده خيارات,غيرهم,اكثر,باقي,الباقي,show more,see more,next page,more options,others,other,akthar,التالي في القائمه',
  brands:
    'العلامات,علامات,العلامه,علامه,الشركات,شركات,شركه,الشركه,الماركات,ماركات,ماركه,الانواع,انواع,نوع,brands,brand,companies,vendors,vendor,suppliers,types,kinds,list of brands,sharikat,markat,anwa3,no3,naw3,other brand,what do you sell,شنو تبيعون,شنو عندكم,شنو عندك,شعندكم,وش عندكم,ايش عندكم',
  language: 'اللغه,لغه,language,lang,lugha,el lugha,لغة',
  arabic: 'عربي,العربيه,بالعربي,بالعربيه,عربيه,arabic,arabi,3arabi,bel3arabi',
  english:
    'انجليزي,الانجليزي,انقليزي,بالانجليزي,بالانجليزيه,انكليزي,انجليزيه,english,ingleezi,inglizi,engleezi,bel ingleezi',
  placeWord:
    'mkan,makan,el mkan,el makan,العنوان,عنوان,عنواني,عنوانا,الموقع,موقع,موقعي,مكان التوصيل,المكان,لوكيشن,اللوكيشن,لوكيشني,address,adress,addres,addrss,location,locaton,place,3enwan,3inwan,el3inwan,el3enwan,3nwan,3enwani,3inwani,mawqi3,mawqe3,lokation,المنطقه,منطقه,منطقتي,منطقتنا',
  otherWord: 'ثاني,ثانيه,جديد,جديده,غيره,مختلف,another,different,new,other,thani,thanya,jdeed,second,وحده ثانيه',
  nameWord:
    'esm,el esm,elesm,alesm,al esm,ism,el ism,elism,al ism,اسمي,باسم,الاسم,اسمه,اسم,my name,my name is,name is,name,under the name,call me as,ismi,esmi,b ism,bism,im called',
  handover:
    'عند الباب,عند الحارس,مع الحارس,عند البواب,at the door,by the door,outside the door,with the guard,with security,call when you arrive,call before,call me before,call me when,دقوا قبل,اتصلوا قبل,اتصل قبل,دق قبل,رن الجرس,ring the bell,leave it at',
  mine: 'عندي,عندنا,شفت,باقي عندي,i have,we have,i still have,i already have,i saw,3ndi,3indi',
  noteWord: 'ملاحظه,ملاحظات,ملاحظتي,note,notes,instructions,driver note,comment,mulahatha',
  reschedule:
    'اغير يوم,غير يوم,غيروا يوم,تغيير يوم,change delivery time,change the delivery time,change the time,اغير وقت,غير وقت,غيروا وقت,تغيير وقت,تغيير موعد,اجل,اجلوا,اجلها,اجله,تاجيل,ناجل,ااجل,تاجلون,غير موعد,غير اليوم,اغير موعد,غيروا موعد,postpone,reschedule,delay my order,delay it to,move it to,move my order,move my delivery,move the delivery,change the day,change the date,change my delivery,change delivery day,ajel,ajil,ajlo,ajlooh,ajloha,ajlaw,تاجلونه,تاجلونها,اجلوه,اجلوها,another day,يوم ثاني,موعد ثاني',
  fromPlace:
    'في,من,الي,صوب,حق,ساكن,ساكنه,ساكنين,اسكن,بيتي في,بيتنا في,عند,يم,in,at,to,from,near,live,living,fi,fil,fel,7ag,hag,ila,sakin,saken,sakna,for',
} as const
