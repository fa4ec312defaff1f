import type { ApprovalRequest } from '../../../core/approval/index.js'
import { wordGroups } from '../../../core/session/index.js'
import { bytes, count } from '../../../core/text/index.js'
import { changedWords, diffParts, type NumberedLine, type WordPart } from '../../../core/vault/index.js'
import { showImpact, showRules } from '../show/changes.js'
import { type Style, terminalText, visibleLine } from '../terminal/terminal.js'

/** Files of a large change set that are shown at first; `v` shows all. */
const filesAtFirst = 5

/** Everything a user needs to decide, with nothing in it obeyed by the terminal. Only long lists of files are cut. */
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
    ...showRules(request.rules ?? [], style),
    ...shownChanges(request, style, everything),
    ...(request.changes || pick || sends.length > 0 ? [] : shownInput(request.input, style)),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

const hiddenLine = (hidden: number) => `${count(hidden, 'character')} are invisible; shown as ⟦U+…⟧.`

/** Groups the outgoing words by origin: "yours: peas · Journal.md: diary · neither: evil, test". */
function shownWords(words: ApprovalRequest['words'], style: Style): string[] {
  return wordGroups(words).map(({ whose, isTyped, words: own }) => {
    const mark = isTyped ? style.faint : style.warning
    return `    ${mark(`${visibleLine(whose)}:`)} ${visibleLine(own.join(', '))}`
  })
}

function shownChanges({ changes = [] }: ApprovalRequest, style: Style, everything: boolean): string[] {
  const words = { create: 'create', edit: 'change', append: 'add to', move: 'move', trash: 'move to trash' }
  const some = everything ? changes : changes.slice(0, filesAtFirst)
  const lines = some.flatMap(({ kind, path, to, diff }) => [
    `${style.strong(words[kind])} ${style.path(visibleLine(path))}${to ? ` ${style.strong('to')} ${style.path(visibleLine(to))}` : ''}`,
    ...(diff === undefined ? [] : wordDiff(diff, style).map((line) => `  ${line}`)),
  ])
  const left = changes.length - some.length
  if (left > 0) lines.push(style.faint(`… and ${count(left, 'more file')} (press v to show all)`))
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

/** Prefixes every line with a bar, so that it cannot be mistaken for one of ours. */
function fenced(text: string): string {
  return terminalText(text)
    .split('\n')
    .map((line) => `    │ ${line}`)
    .join('\n')
}

/** A unified diff for a user: line numbers, and in a line that was replaced the words that differ. Nothing is cut. */
export function wordDiff(diff: string, style: Style): string[] {
  return diffParts(diff).flatMap((part) => {
    switch (part.kind) {
      case 'replaced':
        return replaced(part.removed, part.added, style)
      case 'kept':
        return [style.faint(drawn(' ', part.line.number, lineText(part.line.text)))]
      case 'gap':
        return [style.faint('   …')]
      case 'remark':
        return [style.warning(visibleLine(part.text))]
      default:
        return part satisfies never
    }
  })
}

function replaced(removed: NumberedLine[], added: NumberedLine[], style: Style): string[] {
  // Line endings are shown only where they change.
  const isMixed = new Set([...removed, ...added].map(({ text }) => text.endsWith('\r'))).size > 1
  const shown = isMixed ? terminalText : lineText
  const pairs =
    removed.length === added.length ? removed.map(({ text }, at) => changedWords(text, added[at]?.text ?? '')) : []
  const words = (parts: WordPart[] | undefined, whole: string): string =>
    parts?.map(({ text, changed }) => (changed ? style.changed(shown(text)) : shown(text))).join('') ?? shown(whole)
  const before = removed.map(({ number, text }, at) =>
    style.removed(drawn('-', number, words(pairs[at]?.before, text))),
  )
  const after = added.map(({ number, text }, at) => style.added(drawn('+', number, words(pairs[at]?.after, text))))
  return [...before, ...after]
}

function lineText(text: string): string {
  return terminalText(text.replace(/\r$/, ''))
}

function drawn(mark: string, number: number, text: string): string {
  return `${mark} ${String(number).padStart(4)}  ${text}`
}
