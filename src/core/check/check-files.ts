import { Failure } from '../errors.js'
import { baseName, type StoredNote, yieldToHost } from '../index/index.js'
import { findFrontmatter, readFrontmatter, readFullYaml } from '../markdown/index.js'
import { folderOf, foldPath, isNote, type NoteFile, type NotePath } from '../vault/index.js'
import type { CheckKind, Finding, Fix } from './finding.js'
import { type CheckSource, isInFolder, type VaultFacts } from './vault-facts.js'

/** Problems of whole notes. Only notes that are very short, or named like a copy, are read. */
export async function findNoteProblems(
  facts: VaultFacts,
  kinds: ReadonlySet<CheckKind>,
  folder: string,
  source: CheckSource,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const add = (kind: CheckKind, path: NotePath, problem: string, more: Partial<Finding> = {}) => {
    if (kinds.has(kind)) findings.push({ id: `${kind}:${path}`, kind, path, problem, ...more })
  }
  const pause = yieldToHost()
  for (const note of facts.notes.values()) {
    if (!isInFolder(note.path, folder)) continue
    source.signal?.throwIfAborted()
    await pause()
    const { path, frontmatterError } = note
    if (frontmatterError !== undefined) add('properties', path, `Its properties cannot be read: ${frontmatterError}.`)
    if (!facts.linked.has(path)) {
      if (facts.linking.has(path)) add('unlinked', path, 'No other note links to it.')
      else add('orphans', path, 'It has no links, and no other note links to it.')
    }
    if (kinds.has('empty') && (await isEmpty(note, source))) add('empty', path, 'It has no text and no properties.')
  }
  if (kinds.has('conflicts')) {
    for (const copy of await copiesIn(facts, folder, source)) {
      const { path, original, state } = copy
      add('conflicts', path, copyProblem(state, original), original === undefined ? {} : { other: original })
    }
  }
  return findings
}

/** Longer notes are taken to have text. */
const mostEmptyBytes = 256

async function isEmpty({ path, size, properties, headings }: StoredNote, source: CheckSource): Promise<boolean> {
  if (size > mostEmptyBytes || headings.length > 0 || Object.keys(properties ?? {}).length > 0) return false
  const file = await readable(path, source)
  if (file === undefined) return false
  return /^[\s\ufeff]*$/.test(file.text.slice(findFrontmatter(file.text)?.end ?? 0))
}

async function readable(path: NotePath, { read }: CheckSource): Promise<NoteFile | undefined> {
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

interface Copy {
  path: NotePath
  original: NotePath | undefined
  state: 'same' | 'similar' | 'different' | 'alone'
}

function copyProblem(state: Copy['state'], original: NotePath | undefined): string {
  if (state === 'alone') return 'A sync program made it as a conflict copy, and its original is gone.'
  return state === 'same'
    ? `It is a copy with the same text as ${original}.`
    : `It is a copy of ${original} with other text.`
}

/** Names that sync programs give: Syncthing, Dropbox and Obsidian Sync, Nextcloud, Seafile, Resilio, OneDrive. */
const syncNames = [
  /^(.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?$/i,
  /^(.+) \((?:[^()]* )?(?:conflicted copy|case conflict|SFConflict)(?: [^()]*)?\)$/i,
  /^(.+)_conflict-\d{8}-\d{6}$/i,
  /^(.+)\.(?:sync\.)?conflict\d*$/i,
  /^(.+)-(?:DESKTOP|LAPTOP)-[A-Z0-9]{5,}(?:-\d+)?$/,
]

/** Names that also mean something else, so that only nearly the same text makes a copy of a note: "Plan 2", "Plan (1)". */
const usualNames = [/^(.+) \d{1,2}$/, /^(.+) ?\(\d{1,2}\)$/, /^(.+)[ -]copy(?: \d{1,2})?$/i]

async function copiesIn({ files, notes }: VaultFacts, folder: string, source: CheckSource): Promise<Copy[]> {
  const byPath = new Map(files.map((path) => [foldPath(path), path]))
  const originalOf = (path: NotePath, name: string, extension: string) => {
    const parent = folderOf(path)
    return byPath.get(foldPath(`${parent === '' ? '' : `${parent}/`}${name}${extension}`))
  }
  const copies: Copy[] = []
  for (const path of files) {
    if (!isInFolder(path, folder)) continue
    const [, name = '', extension = ''] = /^(.*?)(\.[^.]+)?$/s.exec(baseName(path)) ?? []
    const sync = syncNames.map((pattern) => pattern.exec(name)?.[1]).find((found) => found !== undefined)
    if (sync !== undefined) {
      const original = originalOf(path, sync, extension)
      copies.push({
        path,
        original,
        state: original === undefined ? 'alone' : await likeness(path, original, notes, source),
      })
      continue
    }
    const usual = usualNames.map((pattern) => pattern.exec(name)?.[1]?.trim()).find((found) => found !== undefined)
    const original = usual === undefined || !isNote(path) ? undefined : originalOf(path, usual, extension)
    if (original === undefined) continue
    source.signal?.throwIfAborted()
    const state = await likeness(path, original, notes, source)
    if (state === 'same' || state === 'similar') copies.push({ path, original, state })
  }
  return copies
}

/** Notes of very different size are not read. */
async function likeness(
  path: NotePath,
  original: NotePath,
  notes: VaultFacts['notes'],
  source: CheckSource,
): Promise<'same' | 'similar' | 'different'> {
  const [one, other] = [notes.get(path), notes.get(original)]
  if (one === undefined || other === undefined) return 'different'
  if (one.hash === other.hash) return one.size === 0 ? 'different' : 'same'
  if (Math.min(one.size, other.size) < 0.8 * Math.max(one.size, other.size)) return 'different'
  const [a, b] = [await readable(path, source), await readable(original, source)]
  return a !== undefined && b !== undefined && sharedLines(a.text, b.text) >= 0.8 ? 'similar' : 'different'
}

/** The share of lines with text that both texts have. */
function sharedLines(a: string, b: string): number {
  const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [first, second] = [linesOf(a), linesOf(b)]
  const left = new Map<string, number>()
  for (const line of first) left.set(line, (left.get(line) ?? 0) + 1)
  let shared = 0
  for (const line of second) {
    const times = left.get(line) ?? 0
    if (times > 0) shared++
    left.set(line, times - 1)
  }
  return shared / Math.max(1, first.length, second.length)
}

/** The fixes of a finding about a whole note. A note that others link to is not moved to the trash. */
export function noteFixes({ kind, path, other }: Finding, { linked, notes }: VaultFacts): Fix[] {
  if (kind === 'properties') return [{ kind: 'quote', title: 'Put the value in quotes', change: { edit: quoteValues } }]
  const hash = notes.get(path)?.hash
  const isCopy = kind === 'conflicts' && other !== undefined && notes.get(other)?.hash === hash
  if (hash === undefined || linked.has(path) || (kind !== 'empty' && !isCopy)) return []
  const change = { trash: path, hash, ...(isCopy && { sameAs: other }) }
  return [{ kind: 'trash', title: 'Move to trash', change }]
}

/** The line of the first error in the properties. */
export function propertiesErrorLine(text: string): number | undefined {
  const frontmatter = findFrontmatter(text)
  if (frontmatter === undefined) return undefined
  const { start, end } = frontmatter.yaml
  const reading = readFullYaml(text.slice(start, end), start)
  const at = reading.reading === undefined ? (reading.at ?? 0) : 0
  return text.slice(0, start + at).split('\n').length
}

/** Lines that are quoted at most: a note with more needs a person. */
const mostQuoted = 20

/**
 * Quotes values that YAML cannot read as they are, such as `title: Tea: a history`. Undefined if that does not make the
 * properties readable, or would give a value another text than the one that is written.
 */
export function quoteValues(text: string): string | undefined {
  let edited = text
  for (let times = 0; times < mostQuoted; times++) {
    const frontmatter = readFrontmatter(edited)
    if (frontmatter === undefined) return undefined
    if (frontmatter.data !== undefined) return times > 0 ? edited : undefined
    const line = propertiesErrorLine(edited)
    const next = line === undefined ? undefined : quoteLine(edited, line)
    if (next === undefined) return undefined
    edited = next
  }
  return undefined
}

function quoteLine(text: string, line: number): string | undefined {
  const lines = text.split('\n')
  const [, head, value = '', end = ''] =
    /^(\s*(?:- +)?[\p{L}\p{N}_][\p{L}\p{N}_ -]*: +|\s*- +)(\S.*?)([ \t]*\r?)$/u.exec(lines[line - 1] ?? '') ?? []
  // A list, a block of text or a value with quotes may continue elsewhere; a comment is no part of the value.
  if (head === undefined || /^["'[{|>&]|\s#/.test(value)) return undefined
  lines[line - 1] = `${head}"${value.replace(/[\\"]/g, '\\$&')}"${end}`
  return lines.join('\n')
}
