// Reads links for the check of refactors. Written apart from the product's scanner and link rules, from Obsidian's
// documentation, so that a mistake there is not repeated here.

/** The files of a vault by path. */
export type Files = ReadonlyMap<string, string>

export interface ReadLink {
  /** `[[…]]` or `[…](…)` as written. */
  raw: string
  isEmbed: boolean
  isWiki: boolean
  path: string
  /** After the first `#`. */
  fragment: string
  /** The text that a reader sees, if the author wrote one. */
  display: string | undefined
}

export interface Section {
  level: number
  title: string
  /** Line of the heading, and the line after its own text: before the next heading of any level. */
  start: number
  end: number
}

export interface ReadNote {
  lines: string[]
  links: ReadLink[]
  sections: Section[]
  /** Block ids, and the line of each. */
  blocks: Map<string, number>
  tags: string[]
  properties: string[]
}

const cache = new Map<string, ReadNote>()

export function readNote(text: string): ReadNote {
  const known = cache.get(text)
  if (known !== undefined) return known
  const read = readText(text)
  if (cache.size > 40_000) cache.clear()
  cache.set(text, read)
  return read
}

function readText(text: string): ReadNote {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const bodyStart = frontmatterEnd(lines)
  const plain = withoutCode(lines, bodyStart)
  const sections: Section[] = []
  const blocks = new Map<string, number>()
  const tags: string[] = []
  for (const [at, line] of plain.entries()) {
    if (at < bodyStart) continue
    const heading = /^(?:[ ]{0,3})(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line)
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)
    const above = plain[at - 1] ?? ''
    if (heading !== null)
      addSection(heading[1].length, lines[at].replace(/^ {0,3}#+[ \t]*|(?:[ \t]+#+)?[ \t]*$/g, ''), at)
    else if (underline !== null && at > bodyStart && /^ {0,3}[^\s#>|*+-]/.test(above) && !/^\d+[.)]\s/.test(above)) {
      addSection(underline[1].startsWith('=') ? 1 : 2, lines[at - 1].trim(), at - 1)
    }
    const id = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/.exec(line)
    if (id !== null && !blocks.has(id[1].toLowerCase())) blocks.set(id[1].toLowerCase(), at)
    for (const [, tag] of line.matchAll(/(?:^|\s)#([\p{L}\p{N}_/-]+)/gu)) if (!/^\d+$/.test(tag)) tags.push(tag)
  }
  for (const [at, section] of sections.entries()) section.end = sections[at + 1]?.start ?? lines.length
  const properties = lines
    .slice(1, Math.max(1, bodyStart - 1))
    .flatMap((line) => /^([^\s:#-][^:]*):(?:\s|$)/.exec(line)?.[1] ?? [])
  return { lines, links: linksIn(plain.join('\n')), sections, blocks, tags, properties }

  function addSection(level: number, title: string, start: number): void {
    sections.push({ level, title, start, end: lines.length })
  }
}

function frontmatterEnd(lines: readonly string[]): number {
  if (!/^---[ \t]*$/.test(lines[0] ?? '')) return 0
  const end = lines.findIndex((line, at) => at > 0 && /^---[ \t]*$/.test(line))
  return end < 0 ? 0 : end + 1
}

/** The same lines, with everything blanked in which Markdown does not count. */
function withoutCode(lines: readonly string[], bodyStart: number): string[] {
  const kept: string[] = []
  let fence: string | undefined
  let isMath = false
  let fenceIndent = 0
  for (const [at, line] of lines.entries()) {
    const indent = line.search(/\S/)
    // A code block in a list ends with the list, even if its fence is open.
    if (fence !== undefined && fenceIndent >= 2 && indent === 0) fence = undefined
    const mark = at < bodyStart ? undefined : /^(?:[ \t>]|[-*+][ \t]|\d+[.)][ \t])*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^[\s>]*[`~]+\s*$/.test(line)) fence = undefined
      kept.push('')
    } else if (
      mark !== undefined &&
      !(mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`'))
    ) {
      fence = mark
      fenceIndent = line.indexOf(mark)
      kept.push('')
    } else {
      const dollars = line.split('$$').length - 1
      if (isMath || dollars % 2 === 1) {
        if (dollars % 2 === 1) isMath = !isMath
        kept.push('')
      } else kept.push(line.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, (code) => ' '.repeat(code.length)))
    }
  }
  return kept
    .join('\n')
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '))
    .split('\n')
}

const linkPattern =
  /(!?)\[\[([^[\]\n]+?)\]\]|(!?)\[((?:[^[\]\n]|\[[^[\]\n]*\])*)\]\((<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?\s*\)|^ {0,3}\[([^[\]^\n][^[\]\n]*)\]:[ \t]*(<[^<>\n]*>|[^\s<>]+)/gm

function linksIn(text: string): ReadLink[] {
  const links: ReadLink[] = []
  for (const match of text.matchAll(linkPattern)) {
    const [raw, wikiEmbed, wiki, image, label, destination, reference, referenceTo] = match
    if (wiki !== undefined) {
      const bar = wiki.indexOf('|')
      const target = (bar < 0 ? wiki : wiki.slice(0, bar)).replace(/\\$/, '')
      const hash = target.indexOf('#')
      links.push({
        raw,
        isEmbed: wikiEmbed === '!',
        isWiki: true,
        path: (hash < 0 ? target : target.slice(0, hash)).trim(),
        fragment: hash < 0 ? '' : target.slice(hash + 1).trim(),
        display: bar < 0 ? undefined : wiki.slice(bar + 1),
      })
      continue
    }
    const written = (destination ?? referenceTo ?? '').replace(/^<|>$/g, '').replace(/\\([!-/:-@[-`{-~])/g, '$1')
    if (/^[a-z][a-z0-9+.-]+:/i.test(written) || written.startsWith('//') || written === '') continue
    const hash = written.indexOf('#')
    links.push({
      raw,
      isEmbed: image === '!',
      isWiki: false,
      path: decoded(hash < 0 ? written : written.slice(0, hash)),
      fragment: hash < 0 ? '' : decoded(written.slice(hash + 1)),
      display: label ?? reference,
    })
  }
  return links
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Finds the files that links mean. */
export class LinkTargets {
  private readonly byName = new Map<string, string[]>()
  private readonly byPath = new Map<string, string>()

  /** Outside Obsidian vaults, Markdown links are paths from their own note. */
  constructor(
    paths: Iterable<string>,
    private readonly isObsidian: boolean,
  ) {
    for (const path of [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
      const name = fold(path.slice(path.lastIndexOf('/') + 1))
      this.byName.set(name, [...(this.byName.get(name) ?? []), path])
      if (!this.byPath.has(fold(path))) this.byPath.set(fold(path), path)
    }
  }

  find(source: string, link: ReadLink): string | undefined {
    const folder = source.split('/').slice(0, -1).join('/')
    let { path } = link
    if (path === '') return source
    if (!this.isObsidian && !link.isWiki) {
      path = path.replace(/\?.*$/, '')
      if (path.endsWith('/')) return undefined
      const whole = joined(path.startsWith('/') ? '' : folder, path.replace(/^\//, ''))
      const there = this.byPath.get(fold(whole)) ?? this.byPath.get(fold(`${whole}.md`))
      if (there !== undefined) return there
    }
    for (const wanted of /\.md$/i.test(path)
      ? [path]
      : /\.[^/.]+$/.test(path)
        ? [path, `${path}.md`]
        : [`${path}.md`]) {
      const found = this.search(folder, wanted)
      if (found !== undefined) return found
    }
    return undefined
  }

  private search(folder: string, wanted: string): string | undefined {
    if (/^\.\.?\//.test(wanted)) return this.byPath.get(fold(joined(folder, wanted)))
    if (wanted.startsWith('/')) return this.byPath.get(fold(wanted.slice(1)))
    const exact = this.byPath.get(fold(wanted)) ?? this.byPath.get(fold(folder === '' ? wanted : `${folder}/${wanted}`))
    if (exact !== undefined) return exact
    const candidates = this.byName.get(fold(wanted.slice(wanted.lastIndexOf('/') + 1))) ?? []
    return candidates.find((path) => `/${fold(path)}`.endsWith(`/${fold(wanted)}`))
  }

  /** The line of a note that a fragment names. */
  line(note: ReadNote, { fragment, isWiki }: ReadLink): number | undefined {
    if (/^\^/.test(fragment)) return note.blocks.get(fragment.slice(1).trim().toLowerCase())
    if (!this.isObsidian && !isWiki) {
      const at = slugs(note).indexOf(fragment.toLowerCase())
      if (at >= 0) return note.sections[at].start
    }
    const names = fragment.split('#').filter(Boolean)
    let [next, level] = [0, 0]
    for (const section of note.sections) {
      if (section.level <= level || strip(section.title) !== strip(names[next] ?? '')) continue
      if (++next === names.length) return section.start
      level = section.level
    }
    return undefined
  }
}

const slugsOf = new WeakMap<ReadNote, string[]>()

function slugs(note: ReadNote): string[] {
  const known = slugsOf.get(note) ?? readSlugs(note)
  slugsOf.set(note, known)
  return known
}

function readSlugs({ sections }: ReadNote): string[] {
  const count: Record<string, number> = Object.create(null) as Record<string, number>
  return sections.map(({ title }) => {
    const words = title.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = [...words]
      .filter((letter) => /[\p{L}\p{M}\p{N}\p{Pc} -]/u.test(letter))
      .join('')
      .replace(/ /g, '-')
    const seen = count[slug] ?? 0
    count[slug] = seen + 1
    return seen === 0 ? slug : `${slug}-${seen}`
  })
}

function joined(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0) parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

const fold = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u00a0\u202f]/g, ' ')
    .toLowerCase()

/** Punctuation does not count when Obsidian compares headings. */
export const strip = (title: string): string =>
  fold(title)
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
