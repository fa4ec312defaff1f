import { readFrontmatter } from '../../markdown/index.js'
import type { ChangedText } from './changed-texts.js'

/** Sentences about what a change does to who can see a note. */
export function audienceChanges({ path, movedFrom, before, after }: ChangedText): string[] {
  const old = before === undefined ? undefined : propertiesIn(before)
  const now = propertiesIn(after)
  return [...movedAcross(path, movedFrom, before === undefined), ...propertyChanges(path, old, now)]
}

/** With true, others can see the note. */
const opening = new Set(['publish', 'published', 'public', 'share', 'shared', 'dg-publish', 'dg-home'])
/** Who may see it, or under which address they find it. */
const deciding = new Set(['visibility', 'permalink', 'dg-permalink', 'slug'])
/** Keeps it from others. */
const closing = new Set(['private', 'draft', 'unlisted', 'noindex', 'password'])
const isWatched = (name: string): boolean => opening.has(name) || deciding.has(name) || closing.has(name)

interface Properties {
  /** By their names in lower case, as one text each. */
  values: ReadonlyMap<string, string>
  count: number
  /** Of properties that cannot be read: their source. */
  unread?: string
}

function propertiesIn(text: string): Properties {
  const frontmatter = readFrontmatter(text)
  if (frontmatter === undefined) return { values: new Map(), count: 0 }
  const { data, yaml } = frontmatter
  if (data === undefined) return { values: new Map(), count: 0, unread: text.slice(yaml.start, yaml.end) }
  const watched = Object.entries(data).flatMap(([name, value]): [string, string][] => {
    const key = name.trim().toLowerCase()
    // Clippers write the day a page was published.
    if (!isWatched(key) || (key === 'published' && !isOn(value) && !isOff(value))) return []
    return [[key, JSON.stringify(value ?? null)]]
  })
  return { values: new Map(watched), count: Object.keys(data).length }
}

const isOn = (value: unknown): boolean => /^(?:true|yes|on|y|1|public)$/i.test(String(value).trim())
const isOff = (value: unknown): boolean => /^(?:false|no|off|n|0)$/i.test(String(value).trim())

function propertyChanges(path: string, old: Properties | undefined, now: Properties): string[] {
  if (old === undefined) {
    return [...now.values].flatMap(([name, value]) => {
      const isOpen = deciding.has(name) || (opening.has(name) && isOn(JSON.parse(value)))
      return isOpen ? [`${path} would be made with ${name}: ${value}.`] : []
    })
  }
  if (old.unread !== now.unread) return [`Properties of ${path} that cannot be read would change.`]
  if (old.count > 0 && now.count === 0) return [`${path} would lose all its properties.`]
  const names = new Set([...old.values.keys(), ...now.values.keys()])
  return [...names].flatMap((name) => {
    const [from, to] = [old.values.get(name), now.values.get(name)]
    if (from === to) return []
    if (to === undefined) return [`${path} would lose ${name}: ${from}.`]
    return [`${path} would get ${name}: ${to}${from === undefined ? '' : `, and has ${from}`}.`]
  })
}

const sharing = ['public', 'publish', 'published', 'share', 'shared']
const keeping = ['private', 'draft', 'drafts']

/** Folders that site builders and people go by. */
function movedAcross(path: string, movedFrom: string | undefined, isNew: boolean): string[] {
  if (movedFrom === undefined) {
    const [folder] = isNew ? foldersOf(path, sharing) : []
    return folder === undefined ? [] : [`${path} would be made in the folder ${folder}.`]
  }
  const named = [...sharing, ...keeping]
  const [left, entered] = [foldersOf(movedFrom, named), foldersOf(path, named)]
  return left.join('/') === entered.join('/') ? [] : [`${movedFrom} would move to ${path}.`]
}

function foldersOf(path: string, wanted: readonly string[]): string[] {
  const folders = path.toLowerCase().split('/').slice(0, -1)
  return folders.map((folder) => folder.replace(/^[\W_]+/, '')).filter((folder) => wanted.includes(folder))
}
