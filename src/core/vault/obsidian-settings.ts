import { Failure } from '../errors.js'
import { boundedExpression } from '../text/index.js'

/**
 * How the links of a folder are read. `obsidian`: a name is looked up in the whole vault. `markdown`: a Markdown link is
 * a path from its own note, as GitHub, editors and static sites read it.
 */
export type LinkReading = 'obsidian' | 'markdown'

/** How a folder's links are read, and how Obsidian is set to spell one that is written again. */
export interface LinkSettings {
  reading: LinkReading
  /** Absent where it is not set: a link is then spelled as its author did. */
  newLinkFormat?: 'shortest' | 'relative' | 'absolute' | undefined
  /** Markdown links always carry `.md` then. */
  useMarkdownLinks?: boolean
}

/** A folder that Obsidian has not opened. */
export const plainMarkdown: LinkSettings = { reading: 'markdown' }

/** The link settings of Obsidian's `app.json`. The file comes with the vault: invalid values count as not set. */
export function linkSettings(appJson: string): LinkSettings {
  const { newLinkFormat, useMarkdownLinks } = parsedObject(appJson)
  return {
    reading: 'obsidian',
    ...(isFormat(newLinkFormat) && { newLinkFormat }),
    ...(typeof useMarkdownLinks === 'boolean' && { useMarkdownLinks }),
  }
}

const isFormat = (value: unknown): value is LinkSettings['newLinkFormat'] =>
  value === 'shortest' || value === 'relative' || value === 'absolute'

function parsedObject(text: string): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Obsidian's trash setting: the system's trash, `.trash` in the vault, or permanent deletion. */
export type TrashOption = 'system' | 'local' | 'none'

/**
 * The trash setting of Obsidian's `app.json`. The file comes with the vault and may hold anything, so whatever is
 * not understood means `.trash`: a deleted note stays where the user can find it.
 */
export function trashOption(appJson: string): TrashOption {
  const settings = parsedJson(appJson)
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return 'local'
  // Obsidian omits settings that have their default.
  const option = Object.hasOwn(settings, 'trashOption') ? (settings as { trashOption: unknown }).trashOption : 'system'
  return option === 'system' || option === 'none' ? option : 'local'
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** More than anyone writes by hand; each is tested on every file. */
const mostFilters = 1000

/**
 * True if Obsidian's `userIgnoreFilters` in `app.json` exclude a file from search. Each filter is a path prefix, or an
 * expression between slashes. Invalid or too slow filters exclude nothing.
 */
export function excludedInObsidian(appJson: string): (path: string) => boolean {
  const tests = ignoreFilters(appJson).flatMap(pathTest)
  return (path) => tests.some((test) => test(path))
}

function ignoreFilters(appJson: string): string[] {
  try {
    const { userIgnoreFilters: filters } = JSON.parse(appJson.replace(/^\uFEFF/, '')) as { userIgnoreFilters?: unknown }
    if (!Array.isArray(filters)) return []
    return filters.filter((one): one is string => typeof one === 'string' && one !== '').slice(0, mostFilters)
  } catch {
    return []
  }
}

function pathTest(filter: string): ((path: string) => boolean)[] {
  if (!/^\/.+\/$/s.test(filter)) {
    const start = filter.toLowerCase()
    return [(path) => path.toLowerCase().startsWith(start)]
  }
  const expression = boundedExpression(filter.slice(1, -1), { ignoreCase: true })
  if (expression === undefined) return []
  let isTooSlow = false
  return [
    (path) => {
      try {
        return !isTooSlow && expression.test(path)
      } catch (error) {
        // An expression that takes too many steps for one path matches nothing from then on.
        if (!(error instanceof Failure)) throw error
        isTooSlow = true
        return false
      }
    },
  ]
}
