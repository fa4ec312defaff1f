import { fileNames, formOf, resolveLink, type StoredLink } from '../index/index.js'
import { folderOf, isNote, type NotePath } from '../vault/index.js'
import type { CheckKind, Finding, Fix, FixableFinding } from './finding.js'
import { blockOf, hasSubpath, nearSubpaths } from './subpath.js'
import { type CheckSource, linkName, movedFiles, type NearFiles, nearFiles, type VaultFacts } from './vault-facts.js'

/** The links that lead to nothing, to a missing heading or block, or to one of several files of the same name. */
export function findBrokenLinks(facts: VaultFacts, kinds: ReadonlySet<CheckKind>): Finding[] {
  const findings: Finding[] = []
  const ids = new Map<string, number>()
  for (const link of facts.links) {
    const found = link.kind === 'external' ? undefined : problemOf(link, facts)
    if (found === undefined || !kinds.has(found.kind)) continue
    const id = `${found.kind}:${link.source}:${link.line}`
    const times = (ids.get(id) ?? 0) + 1
    ids.set(id, times)
    findings.push({ id: times === 1 ? id : `${id}.${times}`, path: link.source, line: link.line, link, ...found })
  }
  return findings
}

function problemOf(link: StoredLink, facts: VaultFacts): Pick<Finding, 'kind' | 'problem' | 'other'> | undefined {
  const { written, subpath, target } = link
  if (target === null) {
    if (isBeyondCheck(link)) return undefined
    return isAttachment(written, facts)
      ? { kind: 'attachments', problem: `There is no file ${written}.` }
      : { kind: 'links', problem: `There is no note ${written}.` }
  }
  const note = facts.notes.get(target)
  if (subpath !== undefined && note !== undefined && !hasSubpath(note, subpath, facts.reading)) {
    const what = blockOf(subpath) === undefined ? 'heading' : 'block'
    return { kind: 'headings', problem: `${target} has no ${what} ${subpath.replace(/^#\^?/, '')}.`, other: target }
  }
  const others = sameNames(link, target, facts)
  if (others.length === 0) return undefined
  const names = others.length > 3 ? `${others.length} other files` : others.join(', ')
  return { kind: 'names', problem: `It leads to ${target}, but ${names} would fit too.`, other: target }
}

/** Placeholders of templates, folders, and paths that the vault cannot know. */
function isBeyondCheck({ written }: StoredLink): boolean {
  return (
    /\{\{|<%|%>|\}\}|\/$/.test(written) ||
    written.split('/').some((name) => /^\.(?!\.?$)/.test(name)) ||
    isOutside(written)
  )
}

/** More steps up than the path has steps down can only lead out of a vault. */
const isOutside = (written: string): boolean => /^(?:\.\.\/){4,}/.test(written)

const attachmentTypes =
  /\.(?:avif|bmp|gif|jpe?g|png|svg|webp|heic|tiff?|flac|m4a|mp3|ogg|opus|wav|webm|3gp|mkv|mov|mp4|ogv|pdf|canvas|base|docx?|xlsx?|pptx?|odt|ods|csv|txt|zip|epub|html?|json)$/i

/** By a usual extension, or one that files of this vault have. */
function isAttachment(written: string, { files }: VaultFacts): boolean {
  if (attachmentTypes.test(written)) return true
  const extension = /\.[a-z][a-z0-9]{0,5}$/i.exec(written)?.[0].toLowerCase()
  if (extension === undefined || extension === '.md') return false
  return files.some((path) => path.toLowerCase().endsWith(extension))
}

/** Other files that a link by name may mean. An exact path, and a file beside the note, are clear. */
function sameNames(
  { source, key, written, raw }: StoredLink,
  target: NotePath,
  { names, reading }: VaultFacts,
): NotePath[] {
  const path = written.trim()
  if (path === '' || /^\.{0,2}\//.test(path) || (reading === 'markdown' && formOf(raw) === 'markdown')) return []
  const all = names.namesakes(key)?.paths() ?? []
  if (all.length < 2 || folderOf(target) === folderOf(source)) return []
  const bare = path.replace(/\.md$/i, '').toLowerCase()
  const ending = (each: string) => `/${each.replace(/\.md$/i, '').toLowerCase()}`.endsWith(`/${bare}`)
  const isWhole = target.replace(/\.md$/i, '').toLowerCase() === bare
  return isWhole ? [] : all.filter((each) => each !== target && ending(each))
}

/** Looks for the fixes of links. Nothing is read: whether a fix can be made is known when it is planned. */
export async function linkFixes(facts: VaultFacts, source: CheckSource) {
  const moved = await movedFiles(source, facts.files)
  const movedNames = fileNames(moved.keys(), facts.reading)
  const near: Partial<Record<'notes' | 'attachments', NearFiles>> = {}

  return (finding: Finding & { link: StoredLink }): Pick<FixableFinding, 'fixes' | 'near'> => {
    const { kind, link, other } = finding
    const repair = { source: link.source, line: link.line, raw: link.raw }
    if (kind === 'names') {
      const path: Fix = {
        kind: 'path',
        title: `Write the path ${other}`,
        change: { repair: { ...repair, to: other, isWholePath: true } },
      }
      return { fixes: [path], near: [] }
    }
    const unlink: Fix = {
      kind: 'unlink',
      title: 'Replace the link with its text',
      change: { repair: { ...repair, unlink: true } },
    }
    if (kind === 'headings') return headingFixes(finding, facts, unlink)

    const files = kind === 'attachments' ? 'attachments' : 'notes'
    near[files] ??= nearFiles(facts, files)
    const found = nearTargets(link, near[files])
    const before = resolveLink(movedNames, link.source, link.written, formOf(link.raw))
    const to = (before === null ? undefined : moved.get(before)) ?? (found.length === 1 ? found[0] : undefined)
    if (to === undefined) return found.length > 1 ? { fixes: [], near: found } : { fixes: [unlink], near: [] }
    const redirect: Fix = {
      kind: 'redirect',
      title: `Link to ${to}${before === null ? '' : ', where it was moved'}`,
      change: { repair: { ...repair, to, ...shownAlias(link, to, facts) } },
    }
    return { fixes: [redirect, unlink], near: [] }
  }
}

/** By the same name in another folder, else by an alias or title, else by a similar name. */
function nearTargets({ written }: StoredLink, near: NearFiles): NotePath[] {
  for (const find of [near.sameName, near.withAlias, near.similar]) {
    const found = find(written)
    if (found.length > 0) return found
  }
  return []
}

/** A link by an alias keeps showing it. */
function shownAlias({ written, kind }: StoredLink, to: NotePath, { notes }: VaultFacts): { display?: string } {
  const note = notes.get(to)
  if (note === undefined || kind === 'embed') return {}
  const fold = (text: string) => text.trim().toLowerCase()
  const isAlias = [...note.aliases, note.title].some((name) => fold(name) === fold(written))
  return isAlias && fold(linkName(to)) !== fold(written) ? { display: written } : {}
}

function headingFixes(
  { link, other, path }: Finding & { link: StoredLink },
  { notes, reading }: VaultFacts,
  unlink: Fix,
): Pick<FixableFinding, 'fixes' | 'near'> {
  const note = other === undefined ? undefined : notes.get(other)
  const repair = { source: link.source, line: link.line, raw: link.raw }
  const found = note === undefined ? [] : nearSubpaths(note, link.subpath ?? '', reading)
  const [nearest] = found
  if (found.length > 1) return { fixes: [], near: found }
  if (nearest !== undefined) {
    const title = `Link to ${nearest}`
    return {
      fixes: [{ kind: 'heading', title, change: { repair: { ...repair, subpath: nearest } } }, unlink],
      near: [],
    }
  }
  // Without its heading, a link to its own note has no target.
  if (other === path || !isNote(other ?? '')) return { fixes: [unlink], near: [] }
  const title = 'Link to the note without the heading'
  return { fixes: [{ kind: 'heading', title, change: { repair: { ...repair, subpath: '' } } }, unlink], near: [] }
}
