/** Words that ask, point or join, and say nothing about what is asked for. */
const words = `
a about across after again against all also am an and any anyone anything are as at be been before being but by can could
did do does doing done each ever every explain find for from get give go goes going had happen happened happens has have having he help helps her
here him his how i if in into is it its just know let like list look looks made make makes many may me mean means might
mine much must my need next no not note notes now of off on one or our out over please quite really said say says
search see shall she should show so some somebody someone something such tell than that the their them then there
these they thing things this those to too under until up upon us used use uses usually vault very was we were what
what's whats when whenever where wherever which while who whom whose why will with without would write written wrote
you your yours
der die das ein eine einen einem einer und oder ist sind war wie was wann wo wer warum welche welcher welches wir ich
es zu im in mit von den dem des auf für man
le la les un une des du de et ou est sont quel quelle quels quelles quand où qui que quoi comment pourquoi combien
el los las una unos y o es son qué cuál cuándo dónde quién cómo por para con
что как где когда кто почему зачем какой какая какие сколько это и в на с по у о из к ли не мы я вы он она они
`
  .trim()
  .split(/\s+/)

const all = new Set(words)

export const isQuestionWord = (word: string): boolean => all.has(word.toLowerCase().replace(/’/g, "'"))

/** What stands before the point of a question in Chinese and Japanese, where no spaces set it apart. */
export const askingCharacters =
  /什么|怎么|怎样|如何|为什么|几点|哪里|哪儿|哪个|多少|请问|告诉我|[吗呢？?]|ですか|ますか|何時/g
