/** Words without meaning for an order; they neither help nor hinder. Folded on load. */
export const fillers = `ones ka ke ki ko hai jaan likh lo wala ng na ba yung nang قولي لي gool lee po bhai bhaiya bhaiyya boss ji mam maam madam sirji kuya ate please pls plz plss kindly the a an my me to i im you u it its that this these those is am are was be of then so well oh
him dear sir madam bro brother boss guys team we us our your just too also hii some any and or by on as there here now right now today's
from for with only if do does did have has had will would could can should let lets them they he she
ال وال بال فال عال عاد thats an أو او
من فضلك لو سمحت سمحتي سمحتوا سمحتون رجاء الرجاء يا اخوي اخي خوي حبيبي عزيزي انا لي لك لنا بس شوي الحين الان اذا الله
يخليك يخليكم يعطيك والله و ف ب ل ع على علي عليي في من الى الي عن مع هذا هذه هذي هاذي هاي ذا ذي هالمره هذاك اللي الذي انتو انت انتوا احنا حنا نحن هو هي هم
ها به بها فيه فيها منه منها عنه لها له عليها عليه حق مال مالي ماله مالت مالتي كان كانت عشان علشان لان اني انه ان قد
اخواني اخوان شباب استاذ اختي عيوني عيني طال عمرك فديتك الغالي يالغالي الغاليه حبايبي اخوك بالله بعد اذنك تكفون تكفى تكفي ضروري
lw law sama7t sama7t sm7t sma7t min fadlak ya akhoi akhooy 5ooy habibi 7abibi ana inta enta enti intaw al7een alhin al7in hatha hadha hathi hadhi
el al il 3ad w wa fi bel bil lel lil 3ala 3an ma3 men min mn 3shan 3ashan bs bas elly illi ili wallah wallahi tara yalla yalghali akh uncle friend`

/**
 * Words of everyday that resemble names of brands, places or commands. They are neither corrected nor read as names or
 * addresses.
 */
export const common = `ابو وابو بو about above after all almost along already always among angry ask asked away baby back bad bag ball bank base be bear beat became because bed been
before began begin behind being believe below bench bend best better big bird bit black blue board boat body book born both bother boy bread break
breakfast bring brown build bus busy but buy cable cake call called came camera camp can car care carry case cat catch cause chair chance child
choose church city class clean clear climb clock cloth cloud coat coffee cold color come common cook cool corner cost could count country course cover
cow crazy cross cry cup cut dad dark date daughter day dead deal dear decide deep desk did die different difficult dinner dirty do doctor does dog dollar
done door down draw dream dress drink drive drop dry each ear early earth east easy eat edge egg eight either else email end enjoy enough enter even ever every
exam except excuse eye face fact fade faded fail fair fall family far farm fast fat father favourite fear fed feed feel feet fell felt few field fight figure fill find
fine finger finish fire first fish five flag flat flight fly follow food foot force forget forgot form found four free fresh friend front full fun funny game garden gas
gate gave get girl give glad go goat god gold gone good got grand grass great green grew ground group grow guess gym had hair half hall hand hang happy hard has hat hate have
he head hear heard heart heat heavy held help her here high hill his hit hold hole home hope horse hospital hot hour house how huge hundred hurry hurt husband idea inside
into job join jump keep kept kid kill kind king kiss kitchen knee knew know lady lake land language large last late later laugh law lay lead learn leave left leg less
let letter lie life lift light like line list listen little live long look lose lost lot loud love low luck lunch mad made mail main make man many map mark market
matter may maybe mean meat meet met mile milk mind mine minute miss moment money month moon moor more morning most mother mountain mouth move much music must name near neck need
neighbor never new news next nice night nine none noon north nose note nothing notice number ocean off office often oil old once one only open orange order other our out
outside over own page paid pain paint pair paper parent park part party pass past pay peace pen people person phone pick picture piece place plan plane plant play please point
police poor position possible post pound power press pretty price problem pull push put question quick quiet quite race rain ran read ready real really reason red rest
rich ride right ring rise river road rock roof room round row rule run sad safe said sail salt same sand sat save saw say school sea seat second see seed seek seem
seen self sell send sent set seven several shall shape she ship shirt shoe shop short should shoulder show shut sick side sign simple since sing sister sit six size
skin sky sleep slow small smell smile snow soap soft some son song soon sorry sort sound soup south space speak speed spell spend spoke spot spring stand star start state stay
step still stone stood stop store story street strong student study such sugar suit sum summer sun sure sweet swim table tail take talk tall taste teach team tear
tell ten test than thank that their them then there these they thick thin thing think third those though thought three threw through throw thus tie time tiny tire today together told
tomorrow tongue tonight too took top total touch toward town toy trade train tree trip trouble true try turn twenty two type under until up upon use used usual very
video visit voice wait walk wall want war warm was wash watch water way wear weather week weigh well went were west wet what wheel when where which while white who whole whom whose
why wide wife wild will win wind window winter wish woman wood word work world worry would write wrong year yellow yes yesterday yet young
area areas actually ago anyone anything nobody weekend boring store stores star stare sitter sister suitor sadder cedar sided mum mom kids everyone thing things stuff
medium regular normal standard sorry halal methods guard doors people student national covered available usually maybe perhaps somewhere stuff gate
bottled mineral purified filter filters tank building kitchen upstairs downstairs meeting match sleeping studying travelling travel airport bridge mall school university college gym
hamper market manager waiter mister miss missus madam laundry delivered items item product products cheap rate rates menu restaurant birthday party guests wedding funeral majlis
home homes soon sooner earlier later today tonight asap quickly fast slow kindly dears dearest regarding concerning about inquiry enquiry question questions answer answers reply
قريب قريبه دوار دوارات roundabout quantity
ignore previous instructions system admin script alert drop table tables select free
ما لا كل هل قد ثم لكن اي اين كيف ليش متى شنو وين هنا هناك يمكن لازم صار يصير كان يكون قال قالت قلت يقول شاف شفت اشوف اعرف ادري مادري يعرف اروح راح بروح
البيت المدرسه الدوام الشغل السياره الناس الاهل امي ابوي اخوي اختي ولدي بنتي عيالي زوجي زوجتي ربعي جاري الجيران ضيوف عزيمه حفله عرس عزا مناسبه
الجو حار بارد الصيف الشتا موجود موجوده مقابل قيمه قايمه ثمره قمر نابل فاضي فيض سنه شهر وقت سوق محل مطعم دكتور مستشفى صوره فيديو صوت رساله كلام خبر اخبار
جم كم شي شيء شغله حاجه وايد كثير قليل شوي اكثر اقل احسن افضل زين مب مو عادي سريع بسرعه الحين اليوم امس باجر بعدين قبل بعد اول اخر ثاني ثالث
تعال روح شوف اسمع قول سو سوي خذ عط حط خل افهم فهمت تفهم غبي حمار كلب يلعن الله العظيم والنعم حياك جزاك سبحان الحمد لله استغفر انتظر
فكره سؤال جواب استفسار بخصوص بالنسبه تجربه صديق صديقي واحد ناس حد احد محد يعني طبعا اصلا ابدا دايم دائما مره مرات نفس مثل غير
baqala bagala ghali ahli sahal sahl badya hora riff ghair ghayr ghayer esm ism esim shay wayed zain zen enzain sob7 layl fog taht jaras sayeg sayara madrasa
اهلي بيتنا الوالد الوالده الحجيه البنت الولد الشغاله الحارس حارس الامن البواب يستلم استلم حلو حلوه حر ليل نهار`

/** Words that make a deed reported, supposed, asked, past or a joke. */
export const hedging = `or wela unless whether imagine suppose supposed pretend maybe perhaps might said says saying told tells telling wrote writes written
text texted texting asked asks ask asking assume assuming say lets heard hear think thought thinks guess forwarded fwd forward viral true fake scam real really funny
prank dream he she his friend friends colleague colleagues neighbour neighbor neighbours cousin
yesterday ago always never someone somebody everybody everyone happen happens happened accident accidentally thinking old
او قال قالت قالوا قالي قالتلي يقول تقول يقولون كتب كتبت كتبوا سمعت سمعنا ربعي ربعنا صديقي صديقتي جارنا جاري جيراننا جارتنا
امس يمكن احتمال صدق صج حلم حلمت تخيل تخيلوا نفرض افرض نفترض لنفترض افترض لنقل افكر منقول قديم قديمه يسال تسال اسال
aw galat galaw gaalaw gaalat yigool tgool yigoolon kitab ktibat sma3t rab3i 9adeeji 9adeeg jarna jari jarti ams yimkin yemken
9idg 9ij sij 7ilim 7alamt e7timal i7timal takhayyal takhayal ktab ktibaw rafeeji rafiji manqool gadeem gadeema afakkir afakir yis2al as2al`

/** Of what was, beside goods. */
export const past = `was were had did didnt took bought كان كانت كانوا خذت خذيت خذينا اخذت اخذنا شريت شرينا kan kanat khathait khathaina a5atht sharait`

/** Words that say why or for whom, and change nothing of what is ordered. */
export const harmless = `تكمل itself whatever mere paas wapas dega عليكم عزيمه وتخبروني تخبروني الوصول etha itha 3alaihum 3alaihm بتاع بتاعت نكهه طعم ومعاهم معاهم معاه plain normal للجيم gym staying urgent very gathering god bless clinic school gym event approx approximately تسجل سجل حطي مال الكميه كميه العدد يهينك يحفظكم يحفظك تقريبا احنا عياده نقطه masa2 masa noor allah y7fthkom y7fthk yahfthkom e7na ta8reeban kammiya 3adi عادي guest guests visitor visitors family kids children baby house home office party place kitchen fridge store room door space too very much many enough heavy light better best
hmm hm um umm oh ooh ah uh oops anymore actually instead buying bought consume drink drinking finish altogether now x عدد العدد 3adad all one's because since cause much lot lots quantity qty finished consumed decided guys also too
ابو بو ام اممم اوه اها شكلها ضيوف عندنا عزيمه حفله بيت البيت مكتب المكتب مطبخ المطبخ ثلاجه الثلاجه الا وايد كثير قليل شوي يكفي يكفون يكفينا زايد ثقيل احسن افضل حق حقي حقنا مكانه مكانها مكانهم مكان مساحه
المجلس الديوانيه علي لاني لانه لانها هالكثر يعني خلصوه خلص خلصت الحين قررت اوه فات فاتت طافت
illa ela ya3ni yaani yani thyoof dyoof 3zeema bait beit bayt maktab madbakh thallaja el7een al7een alheen elheen 5ala9o khalso khal9o qararat fat fatat 6afat elli hal abu bu bo wayed wayid wajid katheer galeel shway yikfi ykfi kafi a7san afthal 7ag 7agna 7agi makan 3ndna 3ndi wasloha wasloh waslo wa9loha وصلوها وصلوه وصلوا وصلولي b كافي`

/** For whom something is ordered; offers are not stopped in their name. */
export const relatives = `mother father wife husband son daughter brother sister mom dad mum parents maid roommate flatmate staff staffs family
الوالد الوالده امي ابوي زوجي زوجتي ريلي رجلي مرتي عيالي العيال الاهل اهلي اخوي اختي ولدي بنتي السايق الشغاله رفيجي رفيقي صاحبي
walid walda ummi ommi oboy oboi ubooy zoji zawji zojti rayli marti 3yali ahal ahli ohti okhti 5ty ukhti wildi waldi binti shaghala`
