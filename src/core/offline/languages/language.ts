/** The requests that have forms of their own in each language. */
export type RequestName =
  | 'undo'
  | 'help'
  | 'thanks'
  | 'search'
  | 'listTags'
  | 'randomNote'
  | 'taggedNotes'
  | 'notesInFolder'
  | 'countTagged'
  | 'countInFolder'
  | 'countAll'
  | 'countAbout'
  | 'backlinks'
  | 'forwardLinks'
  | 'tasks'
  | 'tasksDue'
  | 'tickTask'
  | 'readNote'
  | 'showNote'
  | 'recentNotes'
  | 'notesOfTime'
  | 'createNote'
  | 'compose'
  | 'addToDaily'
  | 'addToNote'
  | 'renameNote'
  | 'moveNote'
  | 'deleteNote'
  | 'deletePart'
  | 'tagNote'
  | 'untagNote'
  | 'setProperty'

/** For no, one and several of something; `{n}` is the number. */
type Counted = readonly [none: string, one: string, several: string]

/** The sentences of answers. Names in braces are filled in. */
export interface Sentences {
  noModel: string
  quotesInstead: string
  setUpModel: string
  foundModels: string
  andMore: string
  chatOnly: string
  help: string
  helpEnd: string
  notUnderstood: string
  needsModel: string
  promptNeedsModel: string
  worksWithout: string
  welcome: string

  fromNotes: string
  nothingAbout: string
  nothingAboutBut: string
  mayNotAnswer: string
  tryOtherWords: string
  propertyLabel: string
  or: string

  undoHint: string
  nothingToUndo: string
  notDone: string
  deniedByUser: string
  noSuchNote: string
  didYouMean: string
  whichNote: string
  oneAtATime: string
  quoteNames: string
  needsAgentMode: string
  needsTool: string
  noToolsInMode: string
  onlyWholeNotes: string
  tagIsOneWord: string
  alreadyExists: string

  tags: string
  tagged: string
  noneTagged: string
  inFolder: string
  firstInFolder: string
  noneInFolder: string
  countAll: Counted
  countInFolder: Counted
  countTagged: Counted
  countAbout: Counted
  atLeast: string
  backlinks: Counted
  times: Counted
  links: string
  noLinks: string
  brokenLink: string
  notesOf: string
  noNotesOf: string
  quotesOf: string
  notMentionedIn: string
  tasks: Counted
  tasksDue: Counted
  tasksIn: Counted
  moreTasks: string
  due: string
  whichTask: string
  noSuchTask: string

  created: string
  added: string
  renamed: string
  deleted: string
  changed: string
  ticked: string
  undone: string
}

/** Everything that depends on the language of a request. */
export interface Language {
  /** As in BCP 47. */
  code: string
  /** No spaces between words: a space in a form is optional, and words are compared by pairs of characters. */
  isUnspaced?: true
  /** The script that no other language here uses. */
  script?: RegExp
  /** Common words, by which a text is recognized. */
  words: string
  /** Words for notes. With function words around them they frame a question: "what do my notes say about …". */
  noteWords: string
  /** Words that shape a question and are not its topic: "say", "write". For an unspaced script, parts of text. */
  frame: string
  /** Patterns of polite words before and after a request. */
  politeBefore: string
  politeAfter: string
  /** Pattern of words for the open note. */
  thisNote: string
  /** Pattern of the beginning of a request to change several notes, which no form reads: "delete all …". */
  command: string
  forms: Partial<Record<RequestName, readonly string[]>>
  /** Time expressions as patterns, and the same in English. */
  times: readonly (readonly [pattern: string, english: string])[]
  /** January to December; empty if `times` has them. */
  months: string
  /** Example requests, with names of the vault filled in. */
  examples: readonly string[]
  say: Sentences
}

type Values = Readonly<Record<string, string | number>>

/** Fills in a sentence. Of sentences for numbers, `n` chooses one. */
export function fill(sentence: string | Counted, values: Values = {}): string {
  const n = Number(values.n)
  const text = typeof sentence === 'string' ? sentence : sentence[n === 0 ? 0 : n === 1 ? 1 : 2]
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}
