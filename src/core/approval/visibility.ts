import { Failure } from '../errors.js'
import {
  aliasesOf,
  ambiguousName,
  countTags,
  fileNames,
  type MoveImpact,
  type NoteIndex,
  noteFacts,
  noteNotFound,
  notesNamed,
  type SearchAnswer,
  type SearchHit,
  type SearchRequest,
  type StoredLink,
  type StoredNote,
  type UpdatableIndex,
} from '../index/index.js'
import { parseNote } from '../markdown/index.js'
import type { ReadableVault } from '../tools/index.js'
import { type FileStamp, foldPath, isNote, type NotePath, notePath, notWritable } from '../vault/index.js'
import { type MatchableNote, matchesNote } from './match-rule.js'
import { looksAt, plainSelector, type Rule } from './rules.js'

// `!` is used on selectors of rules that were filtered for having one, and on the only element of a list of one.

/** The vault and index without the notes that rules hide. Returns the input unchanged if no rule applies. */
export function filterVisible<Seen extends { vault: ReadableVault; index: UpdatableIndex }>(
  seen: Seen,
  rules: readonly Rule[],
  opened: ApprovedNotes = approvedNotes(),
): Seen {
  const screening = readRestrictions(rules)
  if (screening === undefined) return seen
  const vault = { ...seen.vault, ...visibleVault(seen.vault, seen.index, screening, opened) }
  return { ...seen, vault, index: visibleIndex(seen.index, screening, opened) }
}

/** A predicate for notes that a rule hides from models, or that need approval to be read. */
export function isWithheldBy(rules: readonly Rule[]): (note: StoredNote) => boolean {
  const screening = readRestrictions(rules)
  return (note) =>
    screening !== undefined && screening.visibilityOf(indexedProperties(note.path, note), note.path) !== 'seen'
}

/** `seen`: visible to the model. `asked`: visible after approval. `denied`: never. */
type Visibility = 'seen' | 'asked' | 'denied'

type Properties = Omit<MatchableNote, 'paths'>

interface ReadRestrictions {
  visibilityOf(meaning: Properties, ...paths: string[]): Visibility
  /** True if any rule uses tags or properties. */
  needsMeaning: boolean
  /** Why a new note at this path would be hidden, whatever its content. */
  closedBy(path: string): 'rule' | 'project' | undefined
  /** The session's project, if it has one. */
  project?: string
}

/** The rules that hide notes from all tools; undefined if there are none. */
function readRestrictions(rules: readonly Rule[]): ReadRestrictions | undefined {
  const own = rules.filter(
    ({ effect, subject, selector }) =>
      effect !== 'allow' &&
      selector !== undefined &&
      plainSelector(selector).kind !== 'domain' &&
      (subject.kind === 'any' || (subject.kind === 'effect' && subject.effect === 'reads')),
  )
  if (own.length === 0) return undefined
  const matches = (effect: Rule['effect'], note: MatchableNote) =>
    own.some((rule) => rule.effect === effect && matchesNote(rule.selector!, note, 'wide'))
  const outside = own.map(({ selector }) => selector).find((selector) => selector?.kind === 'outside')
  return {
    needsMeaning: own.some(({ selector }) => looksAt(selector!, 'tag', 'prop')),
    ...(outside && { project: outside.project }),
    closedBy(path) {
      // A new note has no tags or properties yet, so a matching rule is about its path.
      const note = { tags: [], properties: {}, isKnown: true, paths: [path] }
      const denying = own.filter(({ effect, selector }) => effect === 'deny' && matchesNote(selector!, note, 'wide'))
      if (denying.some(({ selector }) => selector !== outside)) return 'rule'
      const mayJoin = outside?.inside.some((selector) => looksAt(selector, 'tag', 'prop')) ?? false
      return denying.length > 0 && !mayJoin ? 'project' : undefined
    },
    visibilityOf(meaning, ...paths) {
      const note = { ...meaning, paths }
      return matches('deny', note) ? 'denied' : matches('ask', note) ? 'asked' : 'seen'
    },
  }
}

/** A note's facts from the index; unknown if it is not indexed or its properties cannot be parsed. */
function indexedProperties(path: string, note: StoredNote | undefined): Properties {
  if (note === undefined) return { tags: [], properties: null, isKnown: !isNote(path) }
  const { tags, properties, frontmatterError } = note
  return { tags, properties, isKnown: frontmatterError === undefined || properties !== null }
}

/** A note's facts from its text. */
function writtenProperties(path: string, text: string): Properties {
  if (!isNote(path)) return indexedProperties(path, undefined)
  const { tags, properties, frontmatter } = parseNote(path, text)
  return { tags, properties, isKnown: frontmatter === undefined || frontmatter.data !== undefined }
}

/** Notes the user has approved for reading in this session. */
interface ApprovedNotes {
  add(path: string): void
  has(path: string): boolean
}

export function approvedNotes(): ApprovedNotes {
  const opened = new Set<string>()
  return {
    add: (path) => void opened.add(foldPath(path)),
    has: (path) => opened.has(foldPath(path)),
  }
}

/** The vault without hidden notes. Reads are checked against the file's own text, never against a stale index. */
function visibleVault(
  vault: ReadableVault,
  index: Pick<NoteIndex, 'note' | 'notes'>,
  rules: ReadRestrictions,
  opened: ApprovedNotes,
): ReadableVault {
  const mayRead = (
    meaning: Parameters<ReadRestrictions['visibilityOf']>[0],
    path: NotePath,
    ...spellings: NotePath[]
  ) => {
    const visibility = rules.visibilityOf(meaning, path, ...spellings)
    return visibility === 'seen' || (visibility === 'asked' && opened.has(path))
  }

  /**
   * For metadata the index is good enough. A note with an ask rule can be named: that leads to the approval request.
   */
  async function visibilityOf({ path }: Pick<FileStamp, 'path'>, asked: NotePath): Promise<Visibility> {
    const note = rules.needsMeaning ? await index.note(path) : undefined
    const visibility = rules.visibilityOf(indexedProperties(path, note), path, asked)
    return visibility === 'asked' && opened.has(path) ? 'seen' : visibility
  }

  /** Reads the whole note, since a part may not include its properties. For one too large, the index decides. */
  async function isOpenNow(path: NotePath, asked: NotePath): Promise<boolean> {
    try {
      const file = await vault.read(path)
      return file !== undefined && mayRead(writtenProperties(file.path, file.text), file.path, asked)
    } catch (error) {
      if (error instanceof Failure && error.code === 'too-large') return true
      throw error
    }
  }

  return {
    async files(signal) {
      const [stamps, notes] = await Promise.all([vault.files(signal), rules.needsMeaning ? index.notes() : []])
      const known = new Map(notes.map((note) => [note.path, note]))
      return stamps.filter(({ path }) => mayRead(indexedProperties(path, known.get(path)), path))
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
      if (rules.project !== undefined) throw outsideProjectFailure(path, rules.project)
      return true
    },
    async read(path) {
      const file = await vault.read(path)
      if (file === undefined) return undefined
      const meaning = rules.needsMeaning
        ? writtenProperties(file.path, file.text)
        : indexedProperties(file.path, undefined)
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

/** The existence of a project is no secret; whether the note exists is not revealed. */
function outsideProjectFailure(path: NotePath, project: string): Failure {
  return new Failure('denied', `${path} is outside the project ${project}. Nothing was written.`, {
    hint: 'In a project, you can only write notes that belong to it.',
  })
}

/**
 * The index without hidden notes. Notes with an ask rule are not listed but can be named, which leads to the approval
 * request. Every method is listed here, so that the compiler reports a new one that is not filtered.
 */
function visibleIndex(index: UpdatableIndex, rules: ReadRestrictions, opened: ApprovedNotes): UpdatableIndex {
  async function visibilityAt(path: NotePath): Promise<Visibility> {
    const note = rules.needsMeaning ? await index.note(path) : undefined
    return rules.visibilityOf(indexedProperties(path, note), path)
  }
  const isListed = (path: string, visibility: Visibility) =>
    visibility === 'seen' || (visibility === 'asked' && opened.has(path))
  const isVisible = async (path: NotePath) => isListed(path, await visibilityAt(path))
  const visible = (notes: StoredNote[]) =>
    notes.filter((note) => isListed(note.path, rules.visibilityOf(indexedProperties(note.path, note), note.path)))

  async function visibleFiles(): Promise<NotePath[]> {
    const [files, notes] = await Promise.all([index.files(), rules.needsMeaning ? index.notes() : []])
    const known = new Map(notes.map((note) => [note.path, note]))
    return files.filter((path) => isListed(path, rules.visibilityOf(indexedProperties(path, known.get(path)), path)))
  }

  /** Without the names of hidden notes. */
  async function visibleImpact(impact: MoveImpact): Promise<MoveImpact> {
    const mayName = async <T extends { path: NotePath }>(items: T[]) => {
      const flags = await Promise.all(items.map(({ path }) => isVisible(path)))
      return items.filter((_, at) => flags[at])
    }
    const visiblePaths = async (paths: NotePath[]) =>
      (await mayName(paths.map((path) => ({ path })))).map(({ path }) => path)
    return {
      ...impact,
      canvases: await mayName(impact.canvases),
      outOfReach: await mayName(impact.outOfReach),
      notUtf8: await visiblePaths(impact.notUtf8),
      unread: await visiblePaths(impact.unread),
    }
  }

  const screened: UpdatableIndex = {
    async search(request) {
      // A project's notes may be few among the top hits of the whole vault.
      const among = rules.project === undefined ? undefined : new Set(await visibleFiles())
      return visibleSearch({ ...request, ...(among && { among }) }, (each) => index.search(each), isVisible)
    },

    async find(wanted) {
      const candidates = await candidatesFor(wanted)
      const visibilities = await Promise.all(candidates.map(visibilityAt))
      const named = candidates.filter((_, at) => visibilities[at] !== 'denied')
      if (candidates.length === 1 && named.length === 1) return index.find(named[0]!)
      // Looked up again among the visible notes only, so that the answer reveals nothing about the others.
      const listed = await visibleNamed(wanted)
      if (listed.length > 1) throw ambiguousName('notes', wanted, listed)
      const [meant] = listed.length > 0 ? listed : named.length === 1 ? named : []
      if (meant === undefined) throw noteNotFound(wanted, await visibleFiles())
      return index.find(meant)
    },

    async note(path) {
      const note = await index.note(path)
      if (note === undefined) return undefined
      return rules.visibilityOf(indexedProperties(note.path, note), note.path, path) === 'denied' ? undefined : note
    },
    async notesAt(paths) {
      const notes = await index.notesAt(paths)
      return notes.filter((note) => rules.visibilityOf(indexedProperties(note.path, note), note.path) !== 'denied')
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

    async links(signal) {
      const [links, files] = [await index.links(signal), new Set<string>(await visibleFiles())]
      return links
        .filter(({ source }) => files.has(source))
        .map((link) => (link.target === null || files.has(link.target) ? link : { ...link, target: null }))
    },

    // Computed from visible notes: links to hidden notes are unresolved, links from them do not exist.
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

    // Hidden notes appear neither as results nor as reasons.
    async related(request) {
      if (!(await isVisible(request.path))) throw noteNotFound(request.path, await visibleFiles())
      return index.related(request, isVisible)
    },

    // Links in hidden notes are planned too: the policy denies the call rather than break them.
    async planMove(from, to, options) {
      const plan = await index.planMove(await movable(from), to, options).catch(withoutHidden)
      return { ...plan, impact: await visibleImpact(plan.impact) }
    },
    async planMoves(moves, options) {
      const files = new Set<string>(await index.files())
      for (const path of moves.keys()) await movable(path, files)
      const plan = await index.planMoves(moves, options).catch(withoutHidden)
      return { ...plan, impact: await visibleImpact(plan.impact) }
    },
    async planRestructure(wanted, options) {
      const files = new Set<string>(await index.files())
      for (const { path } of wanted.files) await movable(path, files)
      const plan = await index.planRestructure(wanted, options).catch(withoutHidden)
      return { ...plan, impact: await visibleImpact(plan.impact) }
    },

    linkReading: index.linkReading,
    // Links that lead to hidden notes look unresolved here; the index knows their targets, and leaves them alone.
    async planRepairs(repairs, options) {
      const flags = await Promise.all(
        repairs.map(async ({ source, to }) => (await isVisible(source)) && (to === undefined || (await isVisible(to)))),
      )
      const plan = await index.planRepairs(
        repairs.filter((_, at) => flags[at]),
        options,
      )
      const left = repairs.filter((_, at) => !flags[at]).map((repair) => ({ repair, reason: 'The note is not there.' }))
      return { ...plan, left: [...plan.left, ...left] }
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
      // An error about an unreadable note, and its suggestions, are passed on only if the note is visible.
      if (error.code !== 'not-found' || (path !== undefined && (await isVisible(path)))) throw error
      return []
    }
  }

  async function visibleNamed(wanted: string): Promise<readonly NotePath[]> {
    const names = fileNames(await visibleFiles())
    return notesNamed(names, notePath(wanted), async () => aliasesOf(visible(await index.notes())))
  }

  /** Does not reveal that a hidden note has the name. */
  async function withoutHidden(error: unknown): Promise<never> {
    const taken = error instanceof Failure && error.code === 'conflict' ? error.details.data?.path : undefined
    if (typeof taken === 'string' && (await visibilityAt(taken as NotePath)) === 'denied') {
      throw notWritable(taken as NotePath)
    }
    throw error
  }

  async function movable(from: string, files?: ReadonlySet<string>): Promise<string> {
    const isFile = (files ?? new Set<string>(await index.files())).has(from)
    if (isFile && (await visibilityAt(from as NotePath)) === 'denied') throw noteNotFound(from, await visibleFiles())
    return from
  }
}

const defaultLimit = 10
const mostHits = 1000

/** Searches until enough visible hits are found. Reveals nothing that comes from hidden ones. */
async function visibleSearch(
  request: SearchRequest,
  search: (request: SearchRequest) => Promise<SearchAnswer>,
  isVisible: (path: NotePath) => Promise<boolean>,
): Promise<SearchAnswer> {
  const limit = Math.min(Math.max(1, request.limit ?? defaultLimit), mostHits)
  const answer = await searchUntilEnough(request, limit, search, isVisible)
  // The phrase is only in hidden notes: answer as if it were nowhere.
  if (answer.hits.length === 0 && !answer.phraseMissed && request.query.includes('"')) {
    const words = await searchUntilEnough(
      { ...request, query: request.query.replaceAll('"', ' ') },
      limit,
      search,
      isVisible,
    )
    if (words.hits.length > 0) return { ...withShownCorrections(words), query: request.query, phraseMissed: true }
  }
  // Only hidden notes have the tag: search it as a word.
  if (answer.hits.length === 0 && request.query.includes('#')) {
    const words = await searchUntilEnough(
      { ...request, query: request.query.replaceAll('#', ' ') },
      limit,
      search,
      isVisible,
    )
    return { ...withShownCorrections(words), query: request.query }
  }
  return withShownCorrections(answer)
}

async function searchUntilEnough(
  request: SearchRequest,
  limit: number,
  search: (request: SearchRequest) => Promise<SearchAnswer>,
  isVisible: (path: NotePath) => Promise<boolean>,
): Promise<SearchAnswer> {
  for (let wanted = limit + 10; ; wanted *= 4) {
    const asked = Math.min(wanted, mostHits)
    const answer = await search({ ...request, limit: asked })
    const hits: SearchHit[] = []
    for (const hit of answer.hits) if (hits.length < limit && (await isVisible(hit.path))) hits.push(hit)
    if (hits.length === limit || answer.hits.length < asked || asked === mostHits) return { ...answer, hits }
  }
}

/** Keeps a spelling correction only if a visible hit contains the word. */
function withShownCorrections({ corrected, ...answer }: SearchAnswer): SearchAnswer {
  if (corrected === undefined) return answer
  const shown = answer.hits
    .map(({ title, heading, preview }) => `${title} ${heading} ${preview}`.toLowerCase())
    .join(' ')
  const told = Object.entries(corrected).filter(([, word]) => shown.includes(word.toLowerCase()))
  return told.length === 0 ? answer : { ...answer, corrected: Object.fromEntries(told) }
}
