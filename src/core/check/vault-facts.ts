import {
  baseName,
  type FileNames,
  fileNames,
  foldName,
  type NoteIndex,
  type StoredLink,
  type StoredNote,
} from '../index/index.js'
import { closestNames } from '../text/index.js'
import { type HistoryEntry, isNote, type LinkReading, type NoteFile, type NotePath } from '../vault/index.js'

/** A check reads an index, with the notes that its caller may see. */
export interface CheckSource {
  index: Pick<NoteIndex, 'notes' | 'files' | 'links' | 'linkReading' | 'planRepairs'>
  read: (path: NotePath) => Promise<NoteFile | undefined>
  /** Past changes, newest first: they know where notes were moved. */
  history?: (() => Promise<HistoryEntry[]>) | undefined
  signal?: AbortSignal | undefined
  report?: (progress: { text: string; done?: number; total?: number }) => void
}

/** Everything that the checks look up, loaded once. */
export interface VaultFacts {
  notes: ReadonlyMap<string, StoredNote>
  files: readonly NotePath[]
  names: FileNames
  reading: LinkReading
  links: readonly StoredLink[]
  /** Files that another note links to. */
  linked: ReadonlySet<string>
  /** Notes with a link to anything but themselves. */
  linking: ReadonlySet<string>
}

export async function loadFacts({ index, signal }: CheckSource): Promise<VaultFacts> {
  const [notes, files, links, reading] = [
    await index.notes(),
    await index.files(),
    await index.links(signal),
    await index.linkReading(),
  ]
  const [linked, linking] = [new Set<string>(), new Set<string>()]
  for (const { source, target, kind } of links) {
    if (kind === 'external' || target === source) continue
    linking.add(source)
    if (target !== null) linked.add(target)
  }
  return {
    notes: new Map(notes.map((note) => [note.path, note])),
    files,
    names: fileNames(files, reading),
    reading,
    links,
    linked,
    linking,
  }
}

/** The name that links use: without folder, and without `.md`. */
export const linkName = (path: string): string => baseName(path).replace(/\.md$/i, '')

/** Finds the files that a link may have meant: by the same name elsewhere, by an alias, by a similar name. */
export interface NearFiles {
  sameName: (written: string) => NotePath[]
  withAlias: (written: string) => NotePath[]
  similar: (written: string) => NotePath[]
}

/** `files` are notes, or files of other kinds. */
export function nearFiles({ notes, files }: VaultFacts, kind: 'notes' | 'attachments'): NearFiles {
  const byName = new Map<string, NotePath[]>()
  const add = (map: Map<string, NotePath[]>, name: string, path: NotePath) => {
    const known = map.get(name)
    if (known === undefined) map.set(name, [path])
    else if (!known.includes(path)) known.push(path)
  }
  for (const path of files) if (isNote(path) === (kind === 'notes')) add(byName, keyOf(path), path)
  const byAlias = new Map<string, NotePath[]>()
  for (const { path, aliases, title } of kind === 'notes' ? notes.values() : []) {
    for (const alias of [...aliases, title]) add(byAlias, foldName(alias).trim(), path)
  }
  const closest = closestNames([...byName.keys()])
  const found = new Map<string, NotePath[]>()
  return {
    sameName: (written) => byName.get(keyOf(written)) ?? [],
    withAlias: (written) => byAlias.get(foldName(baseName(written)).trim()) ?? [],
    similar(written) {
      const key = keyOf(written)
      const known = found.get(key) ?? closest(key).flatMap((name) => byName.get(name) ?? [])
      found.set(key, known)
      return known
    },
  }
}

const keyOf = (path: string): string => foldName(linkName(path)).trim()

/** Old paths of notes that were moved, each with the path of the file now. */
export async function movedFiles(
  { history }: CheckSource,
  files: readonly NotePath[],
): Promise<Map<NotePath, NotePath>> {
  const there = new Set<string>(files)
  const next = new Map<NotePath, NotePath>()
  // Oldest first: a later move of another note from the same path takes precedence.
  for (const entry of [...((await history?.()) ?? [])].reverse()) {
    if (entry.state !== 'applied') continue
    for (const { kind, path, to } of entry.changes) if (kind === 'move' && to !== undefined) next.set(path, to)
  }
  const moved = new Map<NotePath, NotePath>()
  for (const [from, to] of next) {
    let [end, steps] = [to, 0]
    while (!there.has(end) && next.has(end) && steps++ < mostMoves) end = next.get(end) ?? end
    if (!there.has(from) && there.has(end)) moved.set(from, end)
  }
  return moved
}

const mostMoves = 50

/** True if the path is in the folder, or the folder is the whole vault. */
export const isInFolder = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)
