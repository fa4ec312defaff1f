import { Failure } from '../../errors.js'
import type { ReadableVault } from '../../tools/index.js'
import type { FileStamp, NotePath } from '../../vault/index.js'
import type { NoteIndex } from '../../vault-index/index.js'
import { type OpenedNotes, type ReadRules, storedMeaning, type Visibility, writtenMeaning } from './read-rules.js'

/** The vault without the notes that may not be read. What is read is judged by its own bytes, never by an old index. */
export function screenVault(
  vault: ReadableVault,
  index: Pick<NoteIndex, 'note' | 'notes'>,
  rules: ReadRules,
  opened: OpenedNotes,
): ReadableVault {
  const mayRead = (meaning: Parameters<ReadRules['visibilityOf']>[0], path: NotePath, ...spellings: NotePath[]) => {
    const visibility = rules.visibilityOf(meaning, path, ...spellings)
    return visibility === 'seen' || (visibility === 'asked' && opened.has(path))
  }

  /** For what tells no content the index is good enough. A note that a rule asks for can be named: that leads to the question. */
  async function visibilityOf({ path }: Pick<FileStamp, 'path'>, asked: NotePath): Promise<Visibility> {
    const note = rules.needsMeaning ? await index.note(path) : undefined
    const visibility = rules.visibilityOf(storedMeaning(path, note), path, asked)
    return visibility === 'asked' && opened.has(path) ? 'seen' : visibility
  }

  /** A part tells too little about its note, so that is read as a whole; of one too large the index must know. */
  async function isOpenNow(path: NotePath, asked: NotePath): Promise<boolean> {
    try {
      const file = await vault.read(path)
      return file !== undefined && mayRead(writtenMeaning(file.path, file.text), file.path, asked)
    } catch (error) {
      if (error instanceof Failure && error.code === 'too-large') return true
      throw error
    }
  }

  return {
    async files(signal) {
      const [stamps, notes] = await Promise.all([vault.files(signal), rules.needsMeaning ? index.notes() : []])
      const known = new Map(notes.map((note) => [note.path, note]))
      return stamps.filter(({ path }) => mayRead(storedMeaning(path, known.get(path)), path))
    },
    async stat(path) {
      const stamp = await vault.stat(path)
      return stamp !== undefined && (await visibilityOf(stamp, path)) !== 'denied' ? stamp : undefined
    },
    async isClosed(path) {
      if (await vault.isClosed(path)) return true
      const stamp = await vault.stat(path)
      const isTaken = stamp !== undefined && (await visibilityOf(stamp, path)) === 'denied'
      const by = rules.closedBy(path)
      if (by === 'rule' || (by === undefined && !isTaken)) return by === 'rule'
      if (rules.project !== undefined) throw outsideProject(path, rules.project)
      return true
    },
    async read(path) {
      const file = await vault.read(path)
      if (file === undefined) return undefined
      const meaning = rules.needsMeaning ? writtenMeaning(file.path, file.text) : storedMeaning(file.path, undefined)
      return mayRead(meaning, file.path, path) ? file : undefined
    },
    async readPart(path, part) {
      const found = await vault.readPart(path, part)
      if (found === undefined) return undefined
      if (rules.needsMeaning && found.bytes.length > 0 && !(await isOpenNow(found.path, path))) return undefined
      const visibility = await visibilityOf(found, path)
      return visibility === 'seen' || (visibility === 'asked' && found.bytes.length === 0) ? found : undefined
    },
  }
}

/** Whoever is in a project knows that it ends somewhere; whether anything is there is not said. */
function outsideProject(path: NotePath, project: string): Failure {
  return new Failure('denied', `${path} is outside the project ${project}. Nothing was written.`, {
    hint: 'Only what belongs to the project can be written here.',
  })
}
