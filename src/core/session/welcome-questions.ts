import { type ParsedNote, parseNote } from '../markdown/index.js'
import { type FileStamp, isNote, type NoteFile, type NotePath, type Vault } from '../vault/index.js'

const wanted = 3
/** Notes that are looked at, the newest first. */
const mostRead = 40
const mostListed = 5000
const longestNote = 200_000

interface Sources {
  vault: Pick<Vault, 'eachFile'>
  /** As a model may see them: a note that a rule hides is not spoken of. */
  read: (path: NotePath) => Promise<NoteFile | undefined>
}

/** Questions that these notes answer, made of what their newest ones have sections about. Needs no index. */
export async function welcomeQuestions({ vault, read }: Sources): Promise<string[]> {
  const found: string[] = []
  /** About notes without sections, where there are too few with some. */
  const plainer: string[] = []
  const titles = new Set<string>()
  for (const path of await newestNotes(vault)) {
    const file = await read(path).catch(() => undefined)
    if (file === undefined || file.text.length > longestNote) continue
    const note = parseNote(path, file.text)
    const title = plain(note.title)
    if (note.isPrivate || titles.has(title.toLowerCase()) || !isTelling(title)) continue
    titles.add(title.toLowerCase())
    const question = questionFor(note, file.text, title)
    if (question !== undefined) found.push(question)
    else if (says(file.text.slice(note.frontmatter?.end ?? 0))) plainer.push(`What do my notes say about ${title}?`)
    if (found.length === wanted) break
  }
  return [...found, ...plainer].slice(0, wanted)
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

function questionFor({ headings }: ParsedNote, text: string, title: string): string | undefined {
  for (const [at, heading] of headings.entries()) {
    const about = plain(heading.text)
    if (heading.level < 2 || !isTelling(about) || about.toLowerCase() === title.toLowerCase()) continue
    if (!says(text.slice(heading.end, headings[at + 1]?.start))) continue
    return about.endsWith('?') ? about : `What does “${title}” say about ${about}?`
  }
  return undefined
}

/** Whether a text says something outside of code. */
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

/** A name that a person would ask about: a few words, no date, not what every note has. */
function isTelling(name: string): boolean {
  if (name.length < 4 || name.length > 40 || !/\p{L}{3}/u.test(name)) return false
  return !/^\d{4}-\d\d|https?:|[#|{}<>\\]|\.\w{2,4}$/u.test(name) && (name.endsWith('?') || !usual.test(name))
}

const usual =
  /^(?:index|readme|home|untitled|notes?|todo|tasks?|introduction|overview|summary|conclusions?|about|references?|links?|resources?|see also|sources?|further reading|related|contents|table of contents|examples?|details?|other|misc|changelog|license|faq|issues|questions?|usage|installation|install|tips|features?|limitations?|background|description|motivation|history|settings?|purpose|instructions?|sample|demo|test|query|results?|getting started|how to|what|why|who|step|part|chapter|section|version|new|using|use|basic|general|common|more|additional|advanced|setup|set up|requirements?|prerequisites?|credits?|acknowledg\w+|contact|support|contribut\w+)\b/i
