import type { ApprovalRequest, Explanation } from '../approval/index.js'
import type { MoveImpact } from '../index/index.js'
import { count, visibleText } from '../text/index.js'
import { previewCall } from '../tools/index.js'
import type { Session } from './session.js'

/** One line about a move; `warning` is its first words where it is not as the user would wish. */
export interface ImpactLine {
  warning?: string
  text: string
}

/** How a move changes links, and which links it cannot update. Names are not escaped here. */
export function impactLines(impact: MoveImpact): ImpactLine[] {
  const { links, notes, canvases } = impact
  const kinds = Object.entries(impact.byKind).map(([kind, number]) => `${number} ${kind}`)
  const holders = [
    ...(notes > 0 ? [count(notes, 'note')] : []),
    ...(canvases.length > 0 ? [canvases.length === 1 ? '1 canvas' : `${canvases.length} canvases`] : []),
  ]
  return [
    ...(impact.files === 1 ? [] : [{ text: `Moves ${count(impact.files, 'file')}` }]),
    {
      text:
        links === 0
          ? 'No links to update'
          : `Updates ${count(links, 'link')} in ${holders.join(' and ')} (${kinds.join(', ')})`,
    },
    ...(impact.captured === 0 ? [] : [{ text: `${count(impact.captured, 'unresolved link')} will point here` }]),
    ...impact.notUtf8.map((path) => ({ warning: 'not updated', text: `${path} is not valid UTF-8` })),
    ...impact.unread.map((path) => ({ warning: 'not checked', text: `${path} can't be read` })),
    ...impact.outOfReach.map(({ path, line, raw }) => ({
      warning: 'not updated',
      text: `${path}:${line} writes ${raw} in a form that can't be updated`,
    })),
    ...hiddenLines(impact.hidden),
  ]
}

/** Numbers only: other people may see the screen. */
function hiddenLines(hidden: MoveImpact['hidden']): ImpactLine[] {
  if (hidden === undefined) return []
  const { links, notes, rewritten, namesakes } = hidden
  const where = `${count(links, 'link')} in ${count(notes, 'private or excluded note')}`
  return [
    ...(links === 0
      ? []
      : [rewritten ? { text: `Updates ${where}, as you chose` } : { warning: 'not updated', text: where }]),
    ...(namesakes === 0
      ? []
      : [
          {
            warning: '!',
            text: `${count(namesakes, 'private or excluded note')} already ${namesakes === 1 ? 'has' : 'have'} that name`,
          },
        ]),
  ]
}

/** A request as lines of plain text: its effect, the reasons to ask, notices, and everything that would be sent or loaded. */
export function requestLines({
  title,
  reasons,
  notices,
  sends,
  loads,
  impact,
  hidden,
  tool,
  kind,
}: ApprovalRequest): string[] {
  return [
    oneLine(kind === 'executable' ? `Text that other programs run: ${title}` : `${tool.title}: ${title}`),
    ...reasons.map(oneLine),
    ...notices.map(({ text }) => `! ${oneLine(text)}`),
    ...(hidden ? [`! ${hidden} characters are invisible; they are shown as ⟦U+…⟧.`] : []),
    ...sends.map(
      ({ url, payload, bytes }) => `Sends ${bytes} bytes to ${oneLine(url)}${payload ? `: ${oneLine(payload)}` : ''}`,
    ),
    ...loads.map(({ url, path, how }) => `Opening ${oneLine(path)} would load ${oneLine(url)} (${oneLine(how)}).`),
    ...(impact ? [`Updates ${count(impact.links, 'link')} in ${count(impact.notes, 'note')}.`] : []),
  ]
}

const oneLine = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')

/** Words that would leave, by whose they are. */
export interface WordGroup {
  whose: string
  isTyped: boolean
  words: string[]
}

/** "yours: peas", "in Journal.md: diary", "neither yours nor in a note that was read: evil, test". */
export function wordGroups(words: ApprovalRequest['words']): WordGroup[] {
  const groups = new Map<string, WordGroup>()
  const add = (whose: string, word: string, isTyped = false) => {
    const group = groups.get(whose) ?? { whose, isTyped, words: [] }
    groups.set(whose, group)
    group.words.push(word)
  }
  for (const { word, from, notes = [] } of words) {
    if (from === 'person') add('yours', word, true)
    if (from === 'unknown') add('neither typed by you nor in a note that was read', word)
    for (const { path, as } of notes) add(`in ${path}`, as ? `${word} (${as})` : word)
  }
  return [...groups.values()]
}

/** Explains the policy's decision about a call: by which rule and why. Nothing is run or asked. */
export async function explainCall(
  session: Session,
  { name, input }: { name: string; input: unknown },
): Promise<Explanation & { tool: string }> {
  const setup = await session.toolSetup()
  const proposed = await previewCall({ id: crypto.randomUUID(), name, input }, { ...setup, offered: undefined })
  return { tool: proposed.tool.name, ...(await session.guard.explain(proposed, setup.context)) }
}
