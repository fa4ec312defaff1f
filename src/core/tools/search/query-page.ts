import type { QueryAnswer, QuerySource } from '../../bases/index.js'
import type { CheckSource } from '../../check/index.js'
import { Failure } from '../../errors.js'
import { folderNamed, type NoteIndex } from '../../index/index.js'
import { findFrontmatter } from '../../markdown/index.js'
import { scalarText } from '../../text/index.js'
import { timeZone } from '../../time/index.js'
import { noteRows } from '../note-rows.js'
import { counted, folderPath, shortText } from '../result-format.js'
import type { ToolContext } from '../tool-context.js'

/** Loaded with the first query: most commands never run one. */
export const loadBases = () => import('../../bases/index.js')

/** Rows on one page of a query. */
export const queryLimits = { usual: 50, most: 500 }

export function querySource({
  index,
  vault,
  clock,
  signal,
}: Pick<ToolContext, 'index' | 'vault' | 'clock' | 'signal'>): QuerySource {
  return {
    index,
    countWords: async (path) => countWords(bodyOf((await vault.read(path))?.text ?? '')),
    stat: (path) => vault.stat(path),
    now: clock.now().getTime(),
    zone: timeZone(clock.timeZone),
    signal,
  }
}

/** The vault of a call as the checks read it. */
export const checkSource = ({ index, vault, changes, signal, report }: ToolContext): CheckSource => ({
  index,
  read: (path) => vault.read(path),
  history: changes && (() => changes.history()),
  signal,
  report,
})

/** Refuses an unknown folder: "0 notes" would be a wrong answer to a question about a mistyped one. */
export async function existingFolder(wanted: string | undefined, index: Pick<NoteIndex, 'files'>): Promise<string> {
  const folder = await folderPath(wanted, index)
  if (folder === '' || folderNamed(await index.files(), folder) !== undefined) return folder
  throw new Failure('not-found', `Folder not found: ${shortText(folder)}`, {
    hint: 'Omit folder to query all notes.',
  })
}

/** Tags as a user or a model writes them, without `#`. */
export const tagNames = (tags: readonly string[] | undefined): string[] | undefined =>
  tags?.map((tag) => tag.trim().replace(/^#/, '')).filter((tag) => tag !== '')

/** Without frontmatter. */
const bodyOf = (text: string): string => text.slice(findFrontmatter(text)?.end ?? 0)

/** Words between blanks and signs; Chinese and Japanese characters count one each. */
function countWords(text: string): number {
  return (
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
  ).length
}

export function failedRemark({ failed }: QueryAnswer): string | undefined {
  return (
    failed &&
    `The expression failed for ${counted(failed.files, 'note')}, which are left out or have no value: ${failed.reason}`
  )
}

/** Rows of notes as lines with " | " between the cells; a heading only if there is more than the path. */
export function table(
  columns: readonly string[],
  rows: readonly { path: string; values: readonly unknown[] }[],
): string[] {
  const lines = noteRows(rows.map(({ path, values }) => ({ path, cells: values.map(cellText) })))
  return columns.length > 1 && rows.length > 0 ? [columns.map(cellText).join(' | '), ...lines] : lines
}

function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : scalarText(value)
  return shortText(text).replaceAll('|', '\\|')
}
