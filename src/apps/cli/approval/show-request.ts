import type { ApprovalRequest } from '../../../core/approval/index.js'
import { wordGroups } from '../../../core/session/index.js'
import { bytes, count } from '../show/quantities.js'
import { showImpact } from '../show/show-impact.js'
import { type Style, visibleLine, visibleText } from '../terminal/index.js'
import { wordDiff } from './word-diff.js'

/** Files of a large change set that are shown at first; `v` shows all. */
const filesAtFirst = 5

/** Everything a person needs to decide, with nothing in it obeyed by the terminal. Only long lists of files are cut. */
export function showRequest(request: ApprovalRequest, style: Style, everything = false): string {
  const { tool, title, reasons, notices, sends, loads, words, pick, impact } = request
  const lines = [
    `${style.strong(visibleLine(request.kind === 'executable' ? 'Text that other programs run' : tool.title))}  ${visibleLine(title)}`,
    ...reasons.map((reason) => style.faint(`  ${visibleLine(reason)}`)),
    ...(tool.source === 'built-in' ? [] : [`  ${style.warning('from')} ${visibleLine(tool.source)}`]),
    ...notices.map(({ text }) => `  ${style.warning('!')} ${visibleLine(text)}`),
    ...(request.hidden ? [`  ${style.warning('!')} ${hiddenLine(request.hidden)}`] : []),
    ...sends.flatMap(({ url, payload, bytes: size }) => [
      `  ${style.strong('sends')} ${visibleLine(url)} ${style.faint(`(${bytes(size)})`)}`,
      ...(payload ? [fenced(payload)] : []),
    ]),
    ...loads.map(({ path, url, how }) => {
      return `  ${style.strong('would load')} ${visibleLine(url)} ${style.faint(`(${visibleLine(how)} in ${visibleLine(path)})`)}`
    }),
    ...shownWords(words, style),
    ...(impact ? showImpact(impact, style) : []),
    ...shownChanges(request, style, everything),
    ...(request.changes || pick || sends.length > 0 ? [] : shownInput(request.input, style)),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

const hiddenLine = (hidden: number) => `${count(hidden, 'character')} of this cannot be seen; shown as ⟦U+…⟧.`

/** Which of the words that would leave are whose: "yours: peas · Journal.md: diary · neither: evil, test". */
function shownWords(words: ApprovalRequest['words'], style: Style): string[] {
  return wordGroups(words).map(({ whose, isTyped, words: own }) => {
    const mark = isTyped ? style.faint : style.warning
    return `    ${mark(`${visibleLine(whose)}:`)} ${visibleLine(own.join(', '))}`
  })
}

function shownChanges({ changes = [] }: ApprovalRequest, style: Style, everything: boolean): string[] {
  const words = { create: 'create', edit: 'change', append: 'add to', move: 'move', trash: 'put in the trash' }
  const some = everything ? changes : changes.slice(0, filesAtFirst)
  const lines = some.flatMap(({ kind, path, to, diff }) => [
    `${style.strong(words[kind])} ${style.path(visibleLine(path))}${to ? ` ${style.strong('to')} ${style.path(visibleLine(to))}` : ''}`,
    ...(diff === undefined ? [] : wordDiff(diff, style).map((line) => `  ${line}`)),
  ])
  const left = changes.length - some.length
  if (left > 0) lines.push(style.faint(`… and ${count(left, 'more file')} (v shows all of them)`))
  return lines
}

function shownInput(input: unknown, style: Style): string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const shown = text.includes('\n') ? `\n${fenced(text)}` : ` ${visibleLine(text)}`
    return `  ${style.faint(`${visibleLine(name)}:`)}${shown}`
  })
}

/** Every line behind a bar, so that no line of it can pass for one of ours. */
function fenced(text: string): string {
  return visibleText(text)
    .split('\n')
    .map((line) => `    │ ${line}`)
    .join('\n')
}
