import { askingCharacters, isQuestionWord } from './question-words.js'

const mostQueries = 3
const mostCharacters = 300
/** Beyond this it is a text, not a question. */
const longestQuestion = 2000

/** What to search for: one query for each part of a compound question. None when there are no words at all. */
export function queriesFor(question: string): string[] {
  const parts = question
    .slice(0, longestQuestion)
    .split(
      /[?？;；\n]+|,?\s+(?:and|und|et|y|и)\s+(?=(?:also\s+)?(?:what|how|when|where|who|why|which|do|does|is|are)\b)/iu,
    )
  // The search weighs the words that only ask by itself, and better than leaving them out would.
  const queries = parts.filter((part) => queryFor(part) !== undefined).map(inOneLine)
  const unique = [...new Set(queries)].slice(0, mostQueries)
  if (unique.length > 0) return unique
  const whole = inOneLine(question)
  return /[\p{L}\p{N}]/u.test(whole) ? [whole] : []
}

const inOneLine = (text: string): string =>
  text.slice(0, longestQuestion).replace(/\s+/g, ' ').trim().slice(0, mostCharacters).trim()

/** A question without the words that only ask; phrases in quotation marks stay as they are. */
export function queryFor(question: string): string | undefined {
  const pieces = question.slice(0, longestQuestion).match(/["“][^"”\n]{2,200}["”]|\S+/g) ?? []
  const kept = pieces.flatMap((piece) => {
    const phrase = /^["“]([^"”]+)["”]$/.exec(piece)?.[1]
    if (phrase !== undefined) return [`"${phrase.trim()}"`]
    const word = piece
      .replace(/\[\[|\]\]/g, '')
      .replace(askingCharacters, ' ')
      .replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}%°+#]+$/gu, '')
    return word === '' || isQuestionWord(word) || isQuestionWord(word.replace(/['’]s$/, '')) ? [] : [word]
  })
  const query = kept.join(' ').replace(/\s+/g, ' ').trim().slice(0, mostCharacters).trim()
  return query === '' ? undefined : query
}
