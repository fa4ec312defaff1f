import { Failure } from '../../errors.js'
import { type NotePath, notWritable } from '../../vault/index.js'
import {
  compareText,
  countTags,
  noteFacts,
  noteNotFound,
  type StoredLink,
  type StoredNote,
  type UpdatableIndex,
} from '../../vault-index/index.js'
import { type OpenedNotes, type ReadRules, storedMeaning, type Visibility } from './read-rules.js'
import { screenSearch } from './screen-search.js'

/**
 * The index without the notes that may not be read. Notes that a rule asks for are in no list, but can be named:
 * naming one is what leads to the question. Every question is screened here by name, so that a new one cannot pass
 * unseen: the compiler asks for it.
 */
export function screenIndex(index: UpdatableIndex, rules: ReadRules, opened: OpenedNotes): UpdatableIndex {
  async function visibilityAt(path: NotePath): Promise<Visibility> {
    const note = rules.needsMeaning ? await index.note(path) : undefined
    return rules.visibilityOf(storedMeaning(path, note), path)
  }
  const isListed = (path: string, visibility: Visibility) =>
    visibility === 'seen' || (visibility === 'asked' && opened.has(path))
  const isVisible = async (path: NotePath) => isListed(path, await visibilityAt(path))
  const visible = (notes: StoredNote[]) =>
    notes.filter((note) => isListed(note.path, rules.visibilityOf(storedMeaning(note.path, note), note.path)))

  async function visibleFiles(): Promise<NotePath[]> {
    const [files, notes] = await Promise.all([index.files(), rules.needsMeaning ? index.notes() : []])
    const known = new Map(notes.map((note) => [note.path, note]))
    return files.filter((path) => isListed(path, rules.visibilityOf(storedMeaning(path, known.get(path)), path)))
  }

  const screened: UpdatableIndex = {
    async search(request) {
      // Of a project's notes few may be among the best of all.
      const among = rules.project === undefined ? undefined : new Set(await visibleFiles())
      return screenSearch({ ...request, ...(among && { among }) }, (each) => index.search(each), isVisible)
    },

    async find(wanted) {
      const candidates = await candidatesFor(wanted)
      const visibilities = await Promise.all(candidates.map(visibilityAt))
      const listed = candidates.filter((path, at) => isListed(path, visibilities[at]))
      const asked = candidates.filter((_, at) => visibilities[at] === 'asked')
      const meant = listed.length > 0 ? listed : asked.length === 1 ? asked : await namesakes(wanted)
      if (meant.length === 1) return index.find(meant[0])
      if (meant.length === 0) throw noteNotFound(wanted, await visibleFiles())
      // In an order that says nothing of notes that are not seen.
      const shown = [...meant].sort(compareText)
      throw new Failure('ambiguous', `Several notes are called ${wanted}: ${shown.join(', ')}`, {
        hint: 'Give the path of the one you mean.',
        data: { candidates: shown },
      })
    },

    async note(path) {
      const note = await index.note(path)
      if (note === undefined) return undefined
      return rules.visibilityOf(storedMeaning(note.path, note), note.path, path) === 'denied' ? undefined : note
    },
    async notesAt(paths) {
      const notes = await index.notesAt(paths)
      return notes.filter((note) => rules.visibilityOf(storedMeaning(note.path, note), note.path) !== 'denied')
    },
    notes: async (filter) => visible(await index.notes(filter)),
    files: visibleFiles,
    tags: async () => countTags(visible(await index.notes()).map(noteFacts)),

    async linksFrom(path) {
      if (!(await isVisible(path))) return []
      const links = await index.linksFrom(path)
      return Promise.all(
        links.map(async (link) =>
          link.target === null || (await isVisible(link.target)) ? link : { ...link, target: null },
        ),
      )
    },
    async linksTo(path) {
      if (!(await isVisible(path))) return []
      const links = await index.linksTo(path)
      const kept: StoredLink[] = []
      for (const link of links) if (await isVisible(link.source)) kept.push(link)
      return kept
    },

    // Told by what is there: a link to a note that may not be read leads nowhere, and one from it does not exist.
    async unresolved() {
      const links: StoredLink[] = []
      for (const { path } of await screened.notes()) links.push(...(await screened.linksFrom(path)))
      return links.filter(({ target, kind }) => target === null && kind !== 'external')
    },
    async orphans() {
      const orphans: NotePath[] = []
      for (const { path } of await screened.notes()) {
        const links = await screened.linksTo(path)
        if (links.every(({ source }) => source === path)) orphans.push(path)
      }
      return orphans
    },

    // Neither an answer nor a reason comes from a note that may not be read.
    async related(request) {
      if (!(await isVisible(request.path))) throw noteNotFound(request.path, await visibleFiles())
      return index.related(request, isVisible)
    },

    // Links in notes that may not be read are planned too: the policy refuses the whole, rather than leave them broken.
    async planMove(from, to, options) {
      const plan = await index.planMove(await movable(from), to, options).catch(withoutHidden)
      const { impact } = plan
      const mayName = async <T extends { path: NotePath }>(items: T[]) => {
        const flags = await Promise.all(items.map(({ path }) => isVisible(path)))
        return items.filter((_, at) => flags[at])
      }
      return {
        ...plan,
        impact: {
          ...impact,
          canvases: await mayName(impact.canvases),
          outOfReach: await mayName(impact.outOfReach),
          notUtf8: (await mayName(impact.notUtf8.map((path) => ({ path })))).map(({ path }) => path),
          unread: (await mayName(impact.unread.map((path) => ({ path })))).map(({ path }) => path),
        },
      }
    },

    async update(options) {
      const { chunks: _, links: __, ...counts } = await index.update(options)
      const flags = await Promise.all(counts.skipped.map(({ path }) => isVisible(path as NotePath)))
      const { length: notes } = visible(await index.notes())
      return { ...counts, notes, skipped: counts.skipped.filter((_, at) => flags[at]) }
    },
  }
  return screened

  async function candidatesFor(wanted: string): Promise<NotePath[]> {
    try {
      return [(await index.find(wanted)).path]
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { candidates = [], path } = (error.details.data ?? {}) as { candidates?: NotePath[]; path?: NotePath }
      if (error.code === 'ambiguous') return candidates
      // A note that is there and cannot be read is named only to those who may know of it, and so are near names.
      if (error.code !== 'not-found' || (path !== undefined && (await isVisible(path)))) throw error
      return []
    }
  }

  /** Who else has that name, when the one it leads to is not there for the model. */
  async function namesakes(wanted: string): Promise<NotePath[]> {
    const tail = `/${wanted.replace(/\.md$/i, '')}.md`.toLowerCase()
    return (await visibleFiles()).filter((path) => `/${path}`.toLowerCase().endsWith(tail))
  }

  /** That a name is taken is not said of a note that may not be read. */
  async function withoutHidden(error: unknown): Promise<never> {
    const taken = error instanceof Failure && error.code === 'conflict' ? error.details.data?.path : undefined
    if (typeof taken === 'string' && (await visibilityAt(taken as NotePath)) === 'denied') {
      throw notWritable(taken as NotePath)
    }
    throw error
  }

  async function movable(from: string): Promise<string> {
    const isFile = (await index.files()).includes(from as NotePath)
    if (isFile && (await visibilityAt(from as NotePath)) === 'denied') throw noteNotFound(from, await visibleFiles())
    return from
  }
}
