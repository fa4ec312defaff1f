import type { SearchAnswer } from '../index/index.js'
import { type ParsedNote, parseNote } from '../markdown/index.js'
import { type FileStamp, isNote, type NoteFile, type NotePath, type Vault } from '../vault/index.js'
import { type QuestionWords, questionWords } from './question-words.js'

const wanted = 4
/** Number of notes to read, newest first, and of candidates that are enough to choose from. */
const mostRead = 120
const enoughFound = 16
const mostListed = 5000
const longestNote = 200_000
/** A question is offered if its note is among the first hits of a search for it. */
const mostHits = 3

interface Sources {
  vault: Pick<Vault, 'eachFile'>
  /** Reads notes as a model may see them: hidden notes are skipped. */
  read: (path: NotePath) => Promise<NoteFile | undefined>
  /** Checks that a question finds its note. Without it, questions are not checked. */
  search?: (query: string) => Promise<SearchAnswer>
}

/** A question, the kind of fact it comes from, and the note that answers it. */
interface Candidate {
  question: string
  kind: string
  path?: NotePath
}

/**
 * Suggests questions that a user would ask of these notes: questions that a heading asks, definitions, people, decisions,
 * comparisons, open tasks. If the notes have nothing of that kind, none are suggested.
 */
export async function welcomeQuestions({ vault, read, search }: Sources): Promise<string[]> {
  const found: Candidate[] = []
  const titles = new Set<string>()
  let tasks = 0
  for (const path of await newestNotes(vault)) {
    // Suggestions skip notes that cannot be read.
    const file = await read(path).catch(() => undefined)
    if (file === undefined || file.text.length > longestNote) continue
    const note = parseNote(path, file.text)
    const title = plain(note.title)
    if (note.isPrivate || titles.has(title.toLowerCase())) continue
    titles.add(title.toLowerCase())
    tasks += note.tasks.filter(({ status }) => status === ' ').length
    const words = questionWords(file.text)
    const question = questionFor(note, file.text, title, words)
    if (question !== undefined) found.push({ ...question, path })
    if (words.openTasks !== undefined && tasks >= 3 && !found.some(({ kind }) => kind === 'tasks'))
      found.push({ question: words.openTasks, kind: 'tasks' })
    if (found.length >= enoughFound) break
  }
  const offered: string[] = []
  for (const { question, path } of varied(found)) {
    if (offered.length === wanted) break
    if (offered.includes(question)) continue
    if (path === undefined || search === undefined || (await isFound(question, path, search))) offered.push(question)
  }
  return offered
}

async function isFound(question: string, path: NotePath, search: (query: string) => Promise<SearchAnswer>) {
  // While the index is being built, nothing can be checked.
  const answer = await search(question).catch(() => undefined)
  return answer?.hits.slice(0, mostHits).some((hit) => hit.path === path) ?? false
}

/** One question of each kind before the second of any. */
function varied(found: readonly Candidate[]): Candidate[] {
  const seen = new Map<string, number>()
  const turns = found.map((candidate) => {
    const turn = seen.get(candidate.kind) ?? 0
    seen.set(candidate.kind, turn + 1)
    return { candidate, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ candidate }) => candidate)
}

async function newestNotes(vault: Sources['vault']): Promise<NotePath[]> {
  const enough = new AbortController()
  const files: FileStamp[] = []
  const see = (file: FileStamp) => {
    if (isNote(file.path)) files.push(file)
    if (files.length === mostListed) enough.abort()
  }
  await vault.eachFile(see, enough.signal).catch((error) => {
    if (!enough.signal.aborted) throw error
  })
  return spread(files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1)).map(({ path }) => path))
}

/** One note of each folder before the second of any. */
function spread(paths: readonly NotePath[]): NotePath[] {
  const seen = new Map<string, number>()
  const turns = paths.map((path) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const turn = seen.get(folder) ?? 0
    seen.set(folder, turn + 1)
    return { path, turn }
  })
  return turns
    .sort((a, b) => a.turn - b.turn)
    .slice(0, mostRead)
    .map(({ path }) => path)
}

/** The best question about a note; undefined if nothing in it is one. */
function questionFor(
  note: ParsedNote,
  text: string,
  title: string,
  words: QuestionWords,
): Omit<Candidate, 'path'> | undefined {
  const body = text.slice(note.frontmatter?.end ?? 0)
  for (const [at, heading] of note.headings.entries()) {
    const about = plain(heading.text)
    if (!says(text.slice(heading.end, note.headings[at + 1]?.start))) continue
    if (isQuestion(about)) return { question: about, kind: 'asked' }
    if (!isName(title)) continue
    const ofSection =
      words.sections.find(([heading]) => heading.test(about))?.[1](title) ??
      (isShort(about) ? words.clause(about) : undefined)
    if (ofSection !== undefined) return { question: ofSection, kind: 'section' }
  }
  if (!isName(title) || !says(body)) return undefined
  if (isQuestion(title)) return { question: title, kind: 'asked' }
  const compared = /^(\p{Lu}[^,:]{1,30}) (?:vs\.?|versus) (\p{L}[^,:]{1,30})$/u.exec(title)
  if (compared) return { question: words.difference(compared[1] ?? '', compared[2] ?? ''), kind: 'difference' }
  if (isPerson(note)) return { question: words.person(title), kind: 'person' }
  const clause = words.clause(title)
  if (clause !== undefined) return { question: clause, kind: 'clause' }
  const definition = words.definition(firstSentence(body), title)
  return definition === undefined ? undefined : { question: definition, kind: 'definition' }
}

function isPerson({ properties }: ParsedNote): boolean {
  const { type, category } = properties ?? {}
  return [type, category].flat().some((value) => typeof value === 'string' && /^(person|people|contact)$/i.test(value))
}

function firstSentence(body: string): string {
  const paragraph = body
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^[#>|`~<!-]/.test(part))
  return plain(/^.*?[.!?](?=\s|$)/s.exec(paragraph ?? '')?.[0] ?? '')
}

/** True if a text has sentences outside of code. */
function says(text: string): boolean {
  return sentence.test(text.replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, ''))
}

/** Prose, and not a list of links or a piece of code. */
const sentence = /(?:^|\n)[^\n#|`>[\]<-]{0,3}\p{L}[^\n|`<]{40,}[.!]/u

/** Words alone: neither markup nor a link's address. */
function plain(text: string): string {
  return text
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** True for a question that can be understood without its note: it names something, and is not "Why?" or "What is this?". */
function isQuestion(text: string): boolean {
  if (!/[?？]$/u.test(text) || text.length > 90 || /[#|{}<>\\]|https?:/u.test(text)) return false
  if (/^(?:any |more )?(?:questions?|help)\b|\b(?:this|that|it|these|those|you|your)\b/iu.test(text)) return false
  return text.split(/\s+/).length >= 4 || /[\p{scx=Han}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]{5}/u.test(text)
}

const isShort = (text: string): boolean => text.length <= 60

/** True for a title that names something: a few words, no date, no name of a file. */
const isName = (title: string): boolean =>
  title.length >= 3 &&
  title.length <= 60 &&
  /\p{L}{2}/u.test(title) &&
  !/^\d{4}-\d\d|https?:|[#|{}<>\\]|\.\w{2,4}$|^(?:untitled|readme|index|home|todo|template)\b/iu.test(title)
