import * as z from 'zod'
import type { NoteIndex } from '../../index/index.js'
import { yieldToHost } from '../../index/index.js'
import type { NotePath } from '../../vault/index.js'
import { notePath } from '../../vault/index.js'
import { shortText } from '../result-format.js'
import type { CallTargets } from '../tool.js'
import type { ToolContext } from '../tool-context.js'

/** Most links in one result. */
const mostLinks = 300

export const linkInput = z.object({ path: z.string(), offset: z.number().min(0).optional().describe('Skips links') })
type LinkInput = z.output<typeof linkInput>

export async function resolveLinkInput(input: LinkInput, { index }: ToolContext): Promise<CallTargets<LinkInput>> {
  const { path } = await index.find(input.path)
  return { notes: [path], input: { ...input, path } }
}

export const inputNote = ({ path }: LinkInput): NotePath => notePath(path)

/** The links to show, and a remark about the omitted ones. */
export function linkPage<T>(links: readonly T[], { offset = 0 }: LinkInput): { page: T[]; remark?: string } {
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
