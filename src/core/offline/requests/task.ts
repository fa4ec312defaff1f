import type { AnswerWords } from '../answers/offline-words.js'
import type { Material, Result } from '../prompt/index.js'

export interface Call {
  name: string
  input: Record<string, unknown>
}

/** What a person asks for, and how to go about it. Pure: the same results always lead to the same next step. */
export interface Task {
  /** Whose results it can answer from; empty when it needs none. */
  tools: readonly string[]
  writes?: boolean
  /** The calls to make now. None: everything is there to answer. */
  next(results: readonly Result[]): Call[]
  answer(results: readonly Result[], words: AnswerWords): string
}

export interface Request {
  /** The person's words without courtesies and `@` commands. */
  text: string
  /** It ends with a question mark and is not a polite way to ask for something: "delete it?" deletes nothing. */
  isQuestion: boolean
  currentNote?: string
  attached: readonly Material[]
  /** Notes named with `@[[Note]]` or `@note Note`. */
  mentioned: readonly string[]
  /** `@vault`, `@web`, `@memory`. */
  commands: ReadonlySet<string>
}

/** Reads one kind of request; undefined when it is another kind. */
export type Intent = (request: Request) => Task | undefined

/** Something to say at once. */
export const saying = (text: string | ((words: AnswerWords) => string)): Task => ({
  tools: [],
  next: () => [],
  answer: (_results, words) => (typeof text === 'string' ? text : text(words)),
})

export const resultOf = (results: readonly Result[], name: string): Result | undefined =>
  results.filter((result) => result.name === name).at(-1)
