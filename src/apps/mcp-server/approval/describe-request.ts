import type { ApprovalRequest } from '../../../core/approval/index.js'
import { visibleText } from '../../../core/text/index.js'
import { cutText } from '../../../core/tools/index.js'

/** Characters of diffs and arguments that a form can hold. */
const usualRoom = 4000

/** What will happen in one line, why it asks, and what it comes to: shortened to what a form can hold, with the full size named. */
export function describeRequest(request: ApprovalRequest, room = usualRoom): string {
  const { title, reasons, notices, sends, loads, impact, hidden, tool, kind } = request
  const head = kind === 'executable' ? `Text that other programs run: ${title}` : `${tool.title}: ${title}`
  const lines = [
    line(head),
    ...reasons.map(line),
    ...notices.map(({ text }) => `! ${line(text)}`),
    ...(hidden ? [`! ${hidden} characters of this cannot be seen; they are shown as ⟦U+…⟧.`] : []),
    ...sends.map(
      ({ url, payload, bytes }) => `Sends ${bytes} bytes to ${line(url)}${payload ? `: ${line(payload)}` : ''}`,
    ),
    ...loads.map(({ url, path, how }) => `Whoever opens ${line(path)} would load ${line(url)} (${line(how)}).`),
    ...(impact ? [`Links rewritten: ${impact.links}, in ${impact.notes} notes.`] : []),
  ]
  const body = changesOf(request) ?? argumentsOf(request)
  return [...lines, ...(body === '' ? [] : ['', shortened(body, room)])].join('\n')
}

function changesOf({ changes }: ApprovalRequest): string | undefined {
  if (changes === undefined) return undefined
  return changes
    .map(({ kind, path, to, diff }) => `${verbs[kind]} ${path}${to ? ` to ${to}` : ''}${diff ? `\n${diff}` : ''}`)
    .join('\n')
}

const verbs = { create: 'create', edit: 'change', append: 'add to', move: 'move', trash: 'put in the trash' }

function argumentsOf({ input, pick }: ApprovalRequest): string {
  return pick ? '' : JSON.stringify(input, null, 1)
}

function shortened(text: string, room: number): string {
  const seen = visibleText(text).text
  if (seen.length <= room) return seen
  const lines = seen.split('\n').length
  return `${cutText(seen, room)}\n[Cut here. In all it is ${seen.length.toLocaleString('en')} characters in ${lines.toLocaleString('en')} lines.]`
}

const line = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')
