/** Questions in the language of a note. Each function returns undefined where its fact is absent. */
export interface QuestionWords {
  /** From the first sentence of a note: "Levain is a …" defines "Levain". */
  definition: (sentence: string, title: string) => string | undefined
  /** Sections that many kinds of notes have, such as decisions or ingredients, and their questions. */
  sections: readonly (readonly [heading: RegExp, question: (title: string) => string])[]
  /** From a title or heading that is a clause: "How to prune roses". */
  clause: (text: string) => string | undefined
  person: (name: string) => string
  difference: (one: string, other: string) => string
  /** A request that the answers without a model understand as well. */
  openTasks?: string
}

/** The words of a note's language, by its most frequent function words. English if it is unknown. */
export function questionWords(text: string): QuestionWords {
  const seen =
    text
      .slice(0, 4000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  let [best, most] = [english, 0]
  for (const [words, language] of functionWords) {
    const number = seen.filter((word) => words.has(word)).length
    if (number > most) [best, most] = [language, number]
  }
  return best
}

const isOrAre = (sentence: string, title: string, verbs: string): RegExpExecArray | null =>
  new RegExp(`^(?:\\p{L}{1,3} )?${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} (${verbs}) (?=\\S+ \\S)`, 'iu').exec(
    sentence,
  )

/** Past forms would need another question: "Why we moved" is not "Why do we moved?". */
const pastForm =
  /^(?:\S+ed|made|built|got|chose|went|did|had|was|were|wrote|found|left|lost|kept|took|came|began|ran|saw|thought|sold|bought|met|held|used|can|could|should|will|would|must|may|might|have|has|are|is|am|don['’]t|do)$/i

const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

const english: QuestionWords = {
  definition(sentence, title) {
    const verb = isOrAre(sentence, title, 'is|are')?.[1]
    return verb && `What ${verb.toLowerCase()} ${title}?`
  },
  sections: [
    [/^(?:decisions?|decided|what we decided)$/i, (title) => `What was decided in “${title}”?`],
    [/^ingredients$/i, (title) => `What do I need for ${title}?`],
  ],
  clause(text) {
    const howTo = /^How to (\p{Lu}?\p{Ll}+ .+)$/u.exec(text)?.[1]
    if (howTo) return `How do I ${lowerFirst(howTo)}?`
    const [, asked, who, verb = '', rest] = /^(How|Why|When|Where) (we|I|they) (\S+) (.+?)[.:]?$/iu.exec(text) ?? []
    if (asked && who && rest && !pastForm.test(verb)) {
      return `${asked} do ${who === 'I' ? who : who.toLowerCase()} ${verb.toLowerCase()} ${lowerFirst(rest)}?`
    }
    const works = /^How (.+) works?$/iu.exec(text)?.[1]
    return works && `How ${/s$/.test(works) ? 'do' : 'does'} ${works} work?`
  },
  person: (name) => `Who is ${name}?`,
  difference: (one, other) => `What is the difference between ${one} and ${other}?`,
  openTasks: 'Which tasks are still open?',
}

const german: QuestionWords = {
  definition(sentence, title) {
    const verb = isOrAre(sentence, title, 'ist|sind')?.[1]
    return verb && `Was ${verb.toLowerCase()} ${title}?`
  },
  sections: [
    [/^(?:Entscheidung(?:en)?|Beschl(?:uss|üsse))$/i, (title) => `Was wurde in „${title}“ beschlossen?`],
    [/^Zutaten$/i, (title) => `Was brauche ich für ${title}?`],
  ],
  clause: () => undefined,
  person: (name) => `Wer ist ${name}?`,
  difference: (one, other) => `Was ist der Unterschied zwischen ${one} und ${other}?`,
}

const french: QuestionWords = {
  definition: (sentence, title) => (isOrAre(sentence, title, 'est|sont') ? `Qu’est-ce que ${title} ?` : undefined),
  sections: [
    [/^décisions?$/i, (title) => `Qu’a-t-on décidé dans « ${title} » ?`],
    [/^ingrédients$/i, (title) => `Que faut-il pour ${title} ?`],
  ],
  clause: () => undefined,
  person: (name) => `Qui est ${name} ?`,
  difference: (one, other) => `Quelle est la différence entre ${one} et ${other} ?`,
}

const spanish: QuestionWords = {
  definition(sentence, title) {
    const verb = isOrAre(sentence, title, 'es|son')?.[1]
    return verb && `¿Qué ${verb.toLowerCase()} ${title}?`
  },
  sections: [
    [/^decisi(?:ón|ones)$/i, (title) => `¿Qué se decidió en «${title}»?`],
    [/^ingredientes$/i, (title) => `¿Qué necesito para ${title}?`],
  ],
  clause: () => undefined,
  person: (name) => `¿Quién es ${name}?`,
  difference: (one, other) => `¿Qué diferencia hay entre ${one} y ${other}?`,
}

const functionWords: readonly [ReadonlySet<string>, QuestionWords][] = [
  [new Set(['the', 'and', 'of', 'to', 'is', 'that', 'with', 'it', 'for', 'this']), english],
  [new Set(['der', 'die', 'und', 'das', 'ist', 'nicht', 'mit', 'ein', 'eine', 'zu', 'den']), german],
  [new Set(['le', 'la', 'les', 'et', 'est', 'une', 'des', 'dans', 'pour', 'que', 'du']), french],
  [new Set(['el', 'los', 'las', 'y', 'es', 'una', 'del', 'para', 'con', 'por', 'que']), spanish],
]
