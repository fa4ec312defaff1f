import * as z from 'zod'
import type { NoteIndex, StoredLink } from '../../index/index.js'
import { yieldToHost } from '../../index/index.js'
import type { NotePath } from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { findEach, givenNotes, notesInput } from '../several-notes.js'
import type { CallTargets } from '../tool.js'
import type { ToolContext } from '../tool-context.js'

/** Most links in one result. */
const mostLinks = 300

export const linkInput = z.object({ ...notesInput, offset: z.number().min(0).optional().describe('Skips links') })
type LinkInput = z.output<typeof linkInput>

/** Resolves names. Those that no note has stay as they are, to be reported. */
export async function resolveLinkInput(
  tool: string,
  { path, paths, ...rest }: LinkInput,
  { index }: ToolContext,
): Promise<CallTargets<LinkInput>> {
  const { found, missing } = await findEach(
    givenNotes(tool, { path, paths }),
    async (name) => (await index.find(name)).path,
  )
  const [only] = found
  if (only !== undefined && found.length === 1 && missing.length === 0)
    return { notes: found, input: { ...rest, path: only } }
  return { notes: found, input: { ...rest, paths: [...found, ...missing.map((each) => each.path)] } }
}

/** The links of each note with the one they are asked for, as far as they fit on one page, and a remark about the rest. */
export function linkPage(
  links: readonly StoredLink[],
  { offset = 0 }: LinkInput,
): { page: StoredLink[]; remark?: string } {
  const page = links.slice(offset, offset + mostLinks)
  const next = offset + page.length
  if (page.length === 0 || next >= links.length) return { page }
  return { page, remark: `Links ${offset + 1} to ${next} of ${links.length}. Continue with offset ${next}.` }
}

/** Titles as they are shown, of the notes among these paths. */
export async function titlesOf(
  paths: Iterable<NotePath>,
  index: NoteIndex,
  signal: AbortSignal,
): Promise<Map<NotePath, string>> {
  const titles = new Map<NotePath, string>()
  const pause = yieldToHost()
  for (const path of new Set(paths)) {
    signal.throwIfAborted()
    const note = await index.note(path)
    if (note !== undefined) titles.set(path, shortText(note.title))
    await pause()
  }
  return titles
}

export interface LinkLine {
  /** The note in which the link is. */
  path: string
  line: number
  /** As it is written, and where it leads if that does not say it. */
  text: string
}

/** Links below the note they are in, each with its line. */
export function linkLines(heading: (count: number) => string, links: readonly LinkLine[]): string[] {
  const byNote = new Map<string, LinkLine[]>()
  for (const link of links) byNote.set(link.path, [...(byNote.get(link.path) ?? []), link])
  const lines = [...byNote].flatMap(([path, own]) => [
    shortText(path, 1000),
    ...own.map(({ line, text }) => ` ${line}: ${text}`),
  ])
  return [heading(links.length), ...lines]
}

export const countedLinks = (count: number): string => (count === 0 ? 'No links' : counted(count, 'link'))
