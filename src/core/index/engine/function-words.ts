import { stemOf } from './stem.js'
import { wordsOf } from './words.js'

/** The stems of a short text without its function words. */
export function contentStems(text: string): Set<string> {
  const words = wordsOf(text)
  const joining = functionWordsOf(words)
  return new Set(words.filter((word) => !joining.has(word)).map(stemOf))
}

/**
 * Function words by language: they shape a question but are not its topic. Folded like all words, without apostrophes.
 * A word that is a noun in another language is listed under its own language only, because a question is read in the
 * language that matches most of its words.
 */
const languages: readonly string[] = [
  // English
  `a about actually again all also although am an and another any anybody anyone anything are arent as at be because
  been being but by can cannot cant could couldnt did didnt do does doesnt doing done dont each ever every
  everything for from had has hasnt have havent having he her here hers herself him himself his how however i id if
  ill im in into is isnt it its itself ive just let lets like made make makes making many may maybe me might more
  most much must my myself nor of often on one onto or other others ought our ours ourselves please quite rather
  really shall she should shouldnt so some somebody somehow someone something sometimes somewhere still such than
  that thats the their theirs them themselves then there theres these they theyre thing things this those though to
  too toward towards unless upon us very was wasnt way we well were werent what whatever whats when whenever where
  whereas wherever whether which while who whoever whom whose why will with wont would wouldnt yes yet you youd
  youll your youre yours yourself`,
  // German
  `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da dabei dadurch
  dafur dagegen daher damit danach dann daran darauf daraus darf darin daruber darum das dass davon dazu dein deine dem den
  denn der deren des dessen deshalb die dies diese diesem diesen dieser dieses dir doch dort du durch eigentlich ein eine
  einem einen einer eines einmal er es etwas euch euer fur ganz gar gegen genau gibt habe haben habt hat hatte hatten hier
  hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jedes jemand jene kann
  kannst kein keine keinen konnen konnte machen mal man manche mehr mein meine meinem meinen meiner mich mir mit mochte muss
  mussen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit selbst sich sie sind so
  sobald sollte sollten sondern sonst soll sollen uber um und uns unser unsere unter viel viele vom von vor wann war ware
  waren warum was weder weil welche welchem welchen welcher welches wem wen wenig wenn wer werde werden weshalb wie wieder
  wieso will wir wird wo wofur woher wohin womit woran wurde wurden zu zum zur zwar zwischen`,
  // French
  `a afin ai ainsi alors apres as au aucun aucune aussi autre autres aux avant avec avez avoir avons beaucoup bien c ca car
  ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de dehors depuis des dois doit donc
  dont du elle elles en encore entre es est et etaient etait etc ete etre eux fait faire faut il ils j je jusqu l la laquelle
  le lequel les lesquels leur leurs lui m ma mais me meme memes mes moi moins mon n ne ni non nos notre nous on ont ou oui
  par parce pas pendant peu peut peux plus plusieurs pour pourquoi pouvez puis puisque qu quand que quel quelle quelles quels
  qui quoi s sa sans se selon sera ses si sinon soi sois soit sommes son sont sous suis sur t ta te tel telle tes toi ton
  tous tout toute toutes tres tu un une vers veux voici voila vos votre vous y`,
  // Spanish
  `a al algo alguien algun alguna algunas algunos ambos ante antes aquel aquella aquello aqui asi aun aunque bajo bien cada
  como con contra cosa cual cuales cualquier cuando cuanto cuantos cuyo de debe debo del desde donde dos durante e el ella
  ellas ello ellos en entre era eran es esa esas ese eso esos esta estaba estan estar estas este esto estos estoy fue fueron
  ha haber hace hacer hacia han hasta hay he la las le les lo los mas me mi mientras mis misma mismo mucho muchos muy nada ni
  ningun ninguna no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pueda puede pueden puedo
  pues que quien quienes se sea segun ser si sido siempre sin sobre son soy su sus tal tambien tampoco tan tanto te tengo ti
  tiene tienen todo todos tu tus un una unas uno unos usted vosotros y ya yo`,
  // Italian
  `a abbiamo ad agli ai al alcuni alla alle allo anche ancora avere aveva c che chi ci cio coi col come con cosa cosi cui da
  dagli dai dal dalla dalle dallo degli dei del dell della delle dello deve devo di dopo dove due e ed era erano essere fa
  fare fra gia gli ha hai hanno ho i il in io la le lei li lo loro lui ma me meno mi mia mie miei mio molto ne negli nei nel
  nella nelle nello no noi non nostra nostro o ogni oppure per perche piu po poi posso prima proprio puo qual quale quali
  quando quanto quei quella quelle quelli quello questa queste questi questo qui sara se sei senza si sia siamo sono sotto sta
  stato su sua sue sugli sui sul sulla suo suoi tra tu tua tuo tutti tutto un una uno vi voi`,
  // Portuguese
  `a ainda algo alguem algum alguma ao aos apenas apos aquela aquele aquilo as assim ate bem cada com como contra cuja cujo da
  das de dela dele deles depois desde deve devo do dos e ela elas ele eles em entao entre era eram essa essas esse esses esta
  estao estar estas este estes estou eu faz fazer foi for foram ha isso isto ja la lhe mais mas me mesmo meu meus minha muito
  na nada nao nas nem nenhum nessa nesse nesta neste no nos nossa nosso num numa o onde os ou outra outro para pela pelas pelo
  pelos pode podem por porque posso pouco qual quais qualquer quando quanto que quem se sem sempre ser seu seus sim so sobre
  sua suas tambem tao te tem tenho teu toda todo todos tu tua tudo um uma umas uns voce voces`,
  // Dutch
  `aan al alle alleen alles als altijd ander andere anders ben bij daar daarom dan dat de der deze die dit doch doen door dus
  een elk en er ergens gaan geen haar had hadden heb hebben heeft hem hen het hier hij hoe hun iedere iemand iets ik in is ja
  je jij jou jouw jullie kan kon kunnen maar mag me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat
  onder ons ook op over reeds sinds te tegen toch toen tot tussen u uit uw van veel vanaf voor waar waarmee waarom waarvoor
  wanneer waren was wat we weer welk welke werd wie wij wil worden wordt ze zelf zich zij zijn zo zoals zonder zou zullen`,
  // Swedish, Danish, Norwegian
  `alla alle allt alt an at att av bara bare blev blir bli blive den denna denne deras dere deres dess det detta dette dig din
  dina dine ditt du efter eftersom eg ej eller en enn er et ett finns for fra fran fordi gor ha hade hadde han hans har havde
  hende hennes her hon hos hun hur hva hvad hvem hvilken hvilket hvis hvor hvordan hvorfor i igen ikke ikkje in ingen ingenting
  inte ja jag jeg jo kan kanske kun kunde kunne man med mellan mellem men mer mig min mina mine mitt mot mycket nagon nagot nagra
  nar noe noen nog nogen noget noll nu och och og ogsa om op opp oss over pa sa samma se seg selv sig sin sina sine sitt sjalv
  ska skal skulle som til till under upp ut uten utan vad vara varfor varje vart var vem vi vid vil vilka vilken vilket ville`,
  // Polish
  `aby albo ale ani az bardzo bez bo by byc byl byla byli bylo bym byt chce co cos czego czemu czy czyli dla dlaczego do gdy
  gdyby gdyz gdzie go i ich ile im inne inny ja jak jaka jaki jakie jako je jednak jego jej jemu jesli jest jestem jeszcze juz
  kazdy kiedy kim kto ktora ktore ktory ktorych ktorym lub ma maja mam mi miedzy mna mnie moge moj moja moje moze mozna mu musi
  my na nad nam nas nasz nawet nic nich nie niego nim niz no o od on ona one oni oraz po pod poniewaz powinien przed przez przy
  sa sam sie skad sobie swoj ta tak taki takie tam te tego tej ten teraz to toba tu tutaj twoj ty tych tylko tym u w wam was we
  wedlug wiec wszystko wy z za zawsze ze zeby`,
  // Turkish
  `acaba ama ancak bana bazi belki ben beni benim bir biri birkac biz bizim bu buna bunda bundan bunu bunun cok cunku da daha
  de defa degil diye eger en gibi hangi hem hep hepsi her hic icin ile ise kac kadar ki kim kimi mi mu mı nasil ne neden nedir
  nerede nereye nicin niye o olan olarak oldu olur on ona ondan onlar onu onun sana sen seni senin siz sizin su ve veya ya yani`,
  // Russian
  `а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее ей ему если есть еще
  ж же за здесь зачем и из или им их к как какая какие какой какого каком когда которая которое которые который кто куда ли
  либо лишь между меня мне многие могу может можно мои мой мы на над надо нам нас наш не него нее нет нее ни них но ну нужно о об
  один однако он она они оно от откуда очень по под почему при про раз разве с сам свой своего себе себя сейчас сколько со
  столько так такая такие такой там тебе тебя тем то тогда того тоже той только том тот ту ты у уж уже хоть чего чей чем что чтобы
  эта эти это этого этой этом этот этих я`,
  // Ukrainian
  `а аби або але б без би був була були було бути в вам вас ви від він вона вони все всі де для до є же з за зі і із іх й його
  ким коли кого кому ли лише ми мене мені може можна на над нам нас наш не немає ні них о об от по під про при с сам себе собі
  так там та ти то тому треба у усе це цей ця ці чи чим чого чому що щоб як яка яке який які я`,
]

/** The function words of a question, by the language that matches most of its words. */
export function functionWordsOf(words: Iterable<string>): ReadonlySet<string> {
  const asked = new Set(words)
  const met = languages.map(() => 0)
  for (const word of asked) for (const language of languagesOf().get(word) ?? []) met[language]!++
  const most = Math.max(...met)
  if (most < fewestMet) return new Set()
  const spoken = met.indexOf(most)
  return new Set([...asked].filter((word) => languagesOf().get(word)?.includes(spoken)))
}

/** One match may be a word of another language: Spanish `sea` is an English noun. */
const fewestMet = 2

let languagesByWord: ReadonlyMap<string, readonly number[]> | undefined

/** Built for the first query. */
function languagesOf(): ReadonlyMap<string, readonly number[]> {
  if (languagesByWord !== undefined) return languagesByWord
  const made = new Map<string, number[]>()
  for (const [language, list] of languages.entries()) {
    for (const word of new Set(list.split(/\s+/))) made.set(word, [...(made.get(word) ?? []), language])
  }
  languagesByWord = made
  return made
}
