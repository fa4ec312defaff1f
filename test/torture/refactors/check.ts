import { type Files, LinkTargets, type ReadLink, type ReadNote, readNote, strip } from './read-links.js'

/** What a refactor may change, for the check. */
export interface Expected {
  /** Notes whose text is rearranged; together they have the same text before and after. */
  group: readonly string[]
  /** Removed notes. */
  gone?: readonly string[]
  /** A link that was added to the note that was split. */
  left?: RegExp
  /** Lines were taken from within a section, so its text is not compared. */
  isWithinSection?: boolean
  /** New text of a heading or block id, by its old text. */
  heading?: readonly [string, string]
  block?: readonly [string, string]
  /** New text of links that show an alias. */
  alias?: readonly [string, string]
  /** A renamed tag or property. */
  tag?: readonly [string, string]
  property?: readonly [string, string]
}

/** The ways in which a vault after a refactor is not what it was; empty if all is well. */
export function wrongAfter(before: Files, after: Files, isObsidian: boolean, expected: Expected): string[] {
  const wrong: string[] = []
  const group = new Set(expected.group)
  const [was, is] = [new Ends(before, isObsidian, expected, true), new Ends(after, isObsidian, expected, false)]
  for (const [path, text] of before) {
    if (group.has(path) || !/\.(?:md|canvas)$/i.test(path)) continue
    const now = after.get(path)
    if (now === undefined) wrong.push(`${path} is gone`)
    else if (path.endsWith('.canvas'))
      wrong.push(
        ...was
          .cards(path, text)
          .flatMap((end, at) => (end === undefined || end === is.cards(path, now)[at] ? [] : [`${path}: card ${at}`])),
      )
    else {
      if (text !== now && skeleton(text, expected) !== skeleton(now, expected))
        wrong.push(`${path}: other text changed`)
      wrong.push(...compareEnds(path, was.of(path, text), is.of(path, now)))
    }
  }
  // Properties that are the same in merged notes are there once then, so their links are only looked for.
  const ends = (files: Ends, from: Files, part: (text: string) => string) =>
    [...group].flatMap((path) => files.of(path, part(from.get(path) ?? '')).map(({ end }) => end))
  const [old, now] = [ends(was, before, bodyOf), ends(is, after, bodyOf)]
  const inProperties = new Set(ends(is, after, (text) => text))
  for (const end of new Set(ends(was, before, propertiesOf))) {
    if (end !== undefined && !inProperties.has(end))
      wrong.push(`in ${[...group].join(', ')}: no property leads to ${end.slice(0, 200)}`)
  }
  for (const end of new Set(old)) {
    if (end === undefined) continue
    const lost = old.filter((each) => each === end).length - now.filter((each) => each === end).length
    if (lost > 0)
      wrong.push(`in ${[...group].join(', ')}: ${lost} links no longer lead to ${JSON.stringify(end.slice(0, 200))}`)
  }
  wrong.push(...lostLines(before, after, expected))
  return wrong
}

const propertiesOf = (text: string): string =>
  /^\ufeff?---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? ''
const bodyOf = (text: string): string => text.slice(propertiesOf(text).length)

function compareEnds(path: string, was: readonly LinkEnd[], is: readonly LinkEnd[]): string[] {
  if (was.length !== is.length) return [`${path}: ${was.length} links, then ${is.length}`]
  return was.flatMap(({ raw, end }, at) => {
    const now = is[at]
    if (end === undefined || end === now.end) return []
    return [
      `${path}: ${raw} led to ${JSON.stringify(end.slice(0, 160))}, and ${now.raw} leads to ${JSON.stringify(now.end?.slice(0, 160))}`,
    ]
  })
}

interface LinkEnd {
  raw: string
  /** Where it leads, in words that a refactor does not change; undefined if it leads nowhere. */
  end: string | undefined
}

class Ends {
  private readonly targets: LinkTargets
  private readonly group: ReadonlySet<string>
  private readonly known = new Map<string, { end: string | undefined }>()

  constructor(
    private readonly files: Files,
    isObsidian: boolean,
    private readonly expected: Expected,
    private readonly isBefore: boolean,
  ) {
    this.targets = new LinkTargets(files.keys(), isObsidian)
    this.group = new Set(expected.group)
  }

  of(path: string, text: string): LinkEnd[] {
    if (text === '') return []
    return readNote(text)
      .links.filter(({ raw }) => this.isBefore || !this.group.has(path) || this.expected.left?.test(raw) !== true)
      .map((link) => ({ raw: link.raw, end: this.endOf(path, link) }))
  }

  /** The files and sections that the cards of a canvas show. */
  cards(path: string, text: string): (string | undefined)[] {
    const { nodes = [] } = JSON.parse(text) as { nodes?: { file?: string; subpath?: string; text?: string }[] }
    return nodes.flatMap(({ file, subpath = '', text: markdown }) => {
      if (markdown !== undefined) return this.of(path, markdown).map(({ end }) => end)
      if (file === undefined) return []
      if (!this.files.has(file)) return [undefined]
      return [
        this.endIn(file, {
          raw: '',
          isEmbed: false,
          isWiki: true,
          path: file,
          fragment: subpath.replace(/^#/, ''),
          display: undefined,
        }),
      ]
    })
  }

  private endOf(source: string, link: ReadLink): string | undefined {
    const target = this.targets.find(source, link)
    return target === undefined ? undefined : this.endIn(target, link)
  }

  private endIn(target: string, link: ReadLink): string | undefined {
    const key = JSON.stringify([target, link.fragment, link.isEmbed, link.isWiki])
    const known = this.known.get(key) ?? { end: this.readEnd(target, link) }
    this.known.set(key, known)
    return known.end
  }

  private readEnd(target: string, link: ReadLink): string | undefined {
    const { gone = [] } = this.expected
    const name = this.group.has(target) ? 'the group' : target
    const note = /\.md$/i.test(target) ? readNote(this.files.get(target) ?? '') : undefined
    if (link.fragment === '' || note === undefined) {
      return link.isEmbed && gone.includes(target) && note !== undefined ? this.opening(note, target, name) : name
    }
    const line = this.targets.line(note, link)
    if (line === undefined) return undefined
    const section = note.sections.find(({ start }) => start === line)
    if (section === undefined) return `${name} › ${plainLine(note.lines[line], this.expected)}`
    return `${name} › ${this.titled(section.title, target)}\n${ownText(note, section.start + 1, section.end, this.expected)}`
  }

  /** A note that is removed is embedded by its first section then, which is the text before its first heading. */
  private opening(note: ReadNote, path: string, name: string): string {
    const bodyStart = note.lines[0] === '---' ? note.lines.indexOf('---', 1) + 1 : 0
    const first = note.sections[0]
    const isOwn = first?.level === 1 && note.lines.slice(bodyStart, first.start).every((line) => line.trim() === '')
    const body = ownText(
      note,
      isOwn ? first.start + 1 : bodyStart,
      isOwn ? first.end : (first?.start ?? note.lines.length),
      this.expected,
    )
    if (note.lines.slice(bodyStart).every((line) => line.trim() === '')) return name
    return `${name} › ${isOwn ? this.titled(first.title, path) : strip(baseName(path))}\n${body}`
  }

  private titled(title: string, path: string): string {
    const { heading, gone = [] } = this.expected
    const plain = strip(withoutLinks(title))
    if (this.isBefore && heading !== undefined && this.group.has(path) && plain === strip(withoutLinks(heading[0])))
      return strip(withoutLinks(heading[1]))
    const suffix = gone
      .map((each) => ` ${strip(baseName(each))}`)
      .find((each) => plain.endsWith(each) && / \([^()]*\)/.test(title))
    return !this.isBefore && suffix !== undefined && this.group.has(path) ? plain.slice(0, -suffix.length) : plain
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

/** The text of lines without what a refactor may change in them: links, ids, footnotes and blanks. */
function ownText({ lines }: ReadNote, start: number, end: number, expected: Expected): string {
  if (expected.isWithinSection) return ''
  const own = lines
    .slice(start, end)
    .join('\n')
    .replace(/^ {0,3}\[\^?[^\]\n]+\]:.*(?:\n(?: {4}|\t).*)*$/gm, '')
  return own
    .split('\n')
    .filter((line) => expected.left?.test(line) !== true && !/^\s*[-*+>\d.)\s]*$/.test(line))
    .map((line) => plainLine(line, expected))
    .filter((line) => line !== '')
    .join('\n')
}

function plainLine(written: string, { block, heading, tag }: Expected): string {
  const line = tag === undefined ? written : written.replaceAll(`#${tag[1]}`, `#${tag[0]}`).toLowerCase()
  const renamed =
    heading !== undefined && line.replace(/^#+\s*/, '').trim() === heading[1]
      ? line.replace(heading[1], heading[0])
      : line
  return withoutLinks(block === undefined ? renamed : renamed.replace(`^${block[1]}`, `^${block[0]}`))
    .replace(/(?:^|\s)\^[A-Za-z0-9-]+\s*$/, '')
    .replace(/\[\^[^\]]+\]/g, '[^]')
    .replace(/\[[^\]]*\]/g, '[]')
    .replace(/\s+/g, ' ')
    .trim()
}

const withoutLinks = (text: string): string =>
  text.replace(/!?\[\[[^[\]\n]*\]\]/g, '[[]]').replace(/\]\((?:<[^<>\n]*>|[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/g, ']()')

/** A note that is not rearranged, without what may change in it. */
function skeleton(text: string, { alias, tag, property }: Expected): string {
  const lines = text.replace(/^( {0,3}\[[^\]\n]+\]:[ \t]*)(?:<[^<>\n]*>|\S+)/gm, '$1')
  const plain = withoutLinks(alias === undefined ? lines : lines.replaceAll(`[${alias[0]}]`, `[${alias[1]}]`))
  const tagged =
    tag === undefined
      ? plain
      : plain
          .replace(new RegExp(`${escaped(tag[1])}`, 'giu'), tag[0].toLowerCase())
          .replace(new RegExp(`${escaped(tag[0])}`, 'giu'), tag[0].toLowerCase())
  if (property === undefined) return tagged
  return tagged.replace(
    new RegExp(`^["']?(?:${escaped(property[0])}|${escaped(property[1])})["']?:`, 'gimu'),
    'property:',
  )
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Lines of the rearranged notes that are nowhere then. Properties are merged, so only their values are looked for. */
function lostLines(before: Files, after: Files, expected: Expected): string[] {
  const lines = (files: Files) => {
    const count = new Map<string, number>()
    for (const path of expected.group) {
      const text = files.get(path)
      const note = text === undefined ? undefined : readNote(text)
      const body = note?.lines[0] === '---' ? note.lines.indexOf('---', 1) + 1 : 0
      for (const line of note?.lines.slice(body) ?? []) {
        const plain = plainLine(line, expected).replace(/ \([^()]*\)$/, '')
        count.set(plain, (count.get(plain) ?? 0) + 1)
      }
    }
    return count
  }
  const [old, now] = [lines(before), lines(after)]
  const lost = [...old].filter(([line, number]) => line !== '' && (now.get(line) ?? 0) < number)
  return lost.map(([line]) => `in ${expected.group.join(', ')}: the line ${JSON.stringify(line.slice(0, 160))} is lost`)
}
