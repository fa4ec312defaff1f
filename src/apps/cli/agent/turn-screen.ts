import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgentEvent, Citation } from '../../../core/agent/index.js'
import type { StepUsage } from '../../../core/model/index.js'
import {
  citationWords,
  citedPlace,
  compactedLine,
  callLabel as labelOf,
  projectLine,
  retryLine,
  stepOutcome,
  type TurnReport,
  turnReport,
  waitingLine,
  whyNotDone,
} from '../../../core/session/index.js'
import { count, duration } from '../../../core/text/index.js'
import { traceLines } from '../../../core/tools/index.js'
import { switchedOff } from '../show/tools.js'
import { liveLine } from '../terminal/live-line.js'
import { type Style, type Terminal, terminalText, visibleLine } from '../terminal/terminal.js'
import { cutPath, cutToWidth, padToWidth, paintedWidth, textWidth } from '../terminal/text-width.js'
import { type MarkdownStream, markdownStream } from './markdown.js'

/** Draws a turn as it happens: the answer on standard output, everything about it on standard error. */
export interface TurnScreen {
  show(event: AgentEvent): void
  /** Clears the status line for other output, such as a question to the user. */
  pause(): void
}

/** The address that opens a cited note; undefined where nothing could open it. */
export type AddressOf = (citation: Citation) => string | undefined

export function turnScreen(terminal: Terminal, addressOf: AddressOf = () => undefined): TurnScreen {
  const { messageStyle, isScreen } = terminal
  const live: StatusLine = terminal.messages.isTTY && terminal.isScreen ? statusLine(terminal) : noStatusLine
  const running = new Map<string, { label: string; startedAt: number; isShown: boolean }>()
  let words: MarkdownStream | undefined
  let thought: { text: string; startedAt: number } | undefined
  let sources: readonly Citation[] = []
  let pausedAt: number | undefined
  let last: 'nothing' | 'row' | 'words' = 'nothing'

  /** The time in which a user was deciding is not the tool's. */
  function resume(): void {
    if (pausedAt === undefined) return
    for (const call of running.values()) call.startedAt += performance.now() - pausedAt
    pausedAt = undefined
  }

  function say(line: string): void {
    live.clear()
    if (last === 'words') terminal.say('')
    last = 'row'
    terminal.say(line)
  }

  function print(text: string): void {
    if (text === '') return
    live.clear()
    if (last === 'row') terminal.say('')
    last = 'words'
    terminal.print(text.replace(/\n$/, ''))
  }

  function endWords(): void {
    if (words !== undefined) print(words.end())
    words = undefined
  }

  function endThought(): void {
    if (thought === undefined) return
    const { text, startedAt } = thought
    thought = undefined
    const time = duration(performance.now() - startedAt)
    say(messageStyle.faint(cutToWidth(`∴ Thought for ${time}: ${visibleLine(text.trim())}`, terminal.messageWidth)))
  }

  function hear(text: string): void {
    endThought()
    // When the output is a file, only the complete answer is written, without reasoning or tool calls.
    if (!isScreen) return
    words ??= markdownStream(terminal)
    print(words.push(text))
    live.show('Writing')
  }

  function endCall(event: Extract<AgentEvent, { type: 'tool-result' }>): void {
    const call = running.get(event.call.id)
    running.delete(event.call.id)
    if (call?.isShown) {
      say(callRow(call.label, event, performance.now() - call.startedAt, messageStyle, terminal.messageWidth))
    }
    const next = [...running.values()].find(({ isShown }) => isShown)
    if (next !== undefined) live.show(next.label)
  }

  function end({ text, reason, usage, steps }: Extract<AgentEvent, { type: 'run-end' }>): void {
    endThought()
    endWords()
    live.clear()
    if (!isScreen && text.trim() !== '') terminal.print(terminalText(text.trimEnd()))
    if (sources.length > 0) terminal.print(`\n${showSources(sources, terminal, addressOf)}`)
    if (reason === 'step-limit') {
      say(messageStyle.warning(`Stopped at the limit of ${steps} steps. The answer uses the results up to then.`))
    }
    terminal.trace(usageLine(usage, steps))
  }

  return {
    pause() {
      endThought()
      endWords()
      live.clear()
      pausedAt ??= performance.now()
      if (last === 'words') last = 'row'
    },
    show(event) {
      resume()
      switch (event.type) {
        case 'run-start':
          return
        case 'step-start':
          return live.show('Thinking')
        case 'waiting':
          return live.show(waitingLine(event))
        case 'text-delta':
          return hear(event.text)
        case 'reasoning-delta':
          thought ??= { text: '', startedAt: performance.now() }
          if (thought.text.length < 1000) thought.text += event.text
          return live.preview(`Thinking: ${thought.text}`)
        case 'tool-call': {
          endThought()
          endWords()
          const label = callLabel(event)
          running.set(event.call.id, { label, startedAt: performance.now(), isShown: !event.background })
          return event.background ? undefined : live.show(label)
        }
        case 'tool-progress': {
          const { text, done, total } = event.progress
          return live.show(total === undefined ? text : `${text} ${done ?? 0} of ${total}`)
        }
        case 'tool-result':
          return endCall(event)
        case 'retrying':
        case 'notice': {
          const text = event.type === 'notice' ? event.text : retryLine(event)
          return say(`${messageStyle.warning('!')} ${visibleLine(text)}`)
        }
        case 'compacted':
          return say(messageStyle.faint(`∴ ${compactedLine(event)}`))
        case 'project-changed':
          return say(messageStyle.faint(visibleLine(projectLine(event))))
        case 'step-end':
          endThought()
          return endWords()
        case 'citations':
          // Printed after the answer.
          sources = event.citations
          return
        case 'messages':
        case 'call-handed':
        case 'branch-changed':
        case 'approval-asked':
        case 'approval-decided':
          // The asker draws the request.
          return
        case 'run-end':
          return end(event)
        default:
          event satisfies never
      }
    },
  }
}

function usageLine({ input, output, reasoning, cachedInput, cost }: StepUsage, steps: number): string {
  const number = (value: number) => value.toLocaleString('en')
  const parts = [
    count(steps, 'step'),
    input !== undefined && `${number(input)} tokens in${cachedInput ? ` (${number(cachedInput)} cached)` : ''}`,
    output !== undefined && `${number(output)} tokens out${reasoning ? ` (${number(reasoning)} reasoning)` : ''}`,
    cost !== undefined && `$${cost.toFixed(4)}`,
  ]
  return `usage: ${parts.filter(Boolean).join(', ')}`
}

/** Runs one turn of the conversation; the screen sees it as it happens. */
export async function takeTurn(
  events: AsyncGenerator<AgentEvent>,
  screen: Pick<TurnScreen, 'show'>,
  terminal: Pick<Terminal, 'trace'>,
): Promise<TurnReport> {
  const report = turnReport()
  for await (const event of events) {
    report.see(event)
    screen.show(event)
    traceTurn(event, terminal)
  }
  return report
}

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

/** "Searching notes: winter vegetables". */
const callLabel = (event: Pick<CallEvent, 'activity' | 'call'>): string => visibleLine(labelOf(event))

/** The row of a call that has ended: a mark, its title, and a short outcome. */
export function callRow(
  label: string,
  { result, cached }: ResultEvent,
  ms: number,
  style: Style,
  width: number,
): string {
  const outcome = result.ok ? result.summary : whyNot(result)
  const time = cached ? 'again' : duration(ms)
  const behind = cutToWidth(visibleLine(`${outcome}, ${time}`), Math.max(20, width - 24))
  const room = Math.max(16, width - textWidth(behind) - 5)
  return `${markOf(result, style)} ${cutPath(label, room)}  ${style.faint(behind)}`
}

/** ✓ done, ± done in part, – denied, ✗ failed. */
function markOf(result: ResultEvent['result'], style: Style): string {
  const outcome = stepOutcome({ result })
  if (outcome === 'done') return style.good('✓')
  if (outcome === 'in part') return style.warning('±')
  return outcome === 'denied' ? style.warning('–') : style.bad('✗')
}

function whyNot(result: Extract<ResultEvent['result'], { ok: false }>): string {
  return (result.code === 'unknown-tool' ? switchedOff(result.name) : undefined) ?? whyNotDone(result)
}

/** On a line without end the column is as on a wide screen. */
const widest = 120

/** The places an answer cites, each once, with the result of its check. */
export function showSources(
  citations: readonly Citation[],
  { style, width, link }: Pick<Terminal, 'style' | 'width' | 'link'>,
  addressOf: AddressOf = () => undefined,
): string {
  const places = new Map<string, { citation: Citation; name: string }>()
  for (const citation of citations) {
    const name = cutPath(visibleLine(citedPlace(citation)), width - 4)
    const key = `${name} ${citation.check}`
    if (!places.has(key)) places.set(key, { citation, name })
  }
  if (places.size === 0) return ''
  // Names of about the same length are set in a column; a very long one does not push the others aside.
  const widths = [...places.values()].map(({ name }) => textWidth(name))
  const column = Math.max(...widths.filter((one) => one <= Math.min(width, widest) / 2), 0)
  const rows = [...places.values()].map(({ citation, name }) => {
    const address = citation.check === 'missing' ? undefined : addressOf(citation)
    const linked = address === undefined ? name : link(name, address)
    return row(citation, padToWidth(linked, column), style, width)
  })
  return [style.strong('Sources'), ...rows].join('\n')
}

function row(citation: Citation, name: string, style: Style, width: number): string {
  const mark = {
    verbatim: style.good('✓'),
    differs: style.warning('≠'),
    unquoted: style.faint('·'),
    read: style.faint('·'),
    missing: style.bad('✗'),
  }[citation.check]
  const room = width - paintedWidth(name) - 6
  const behind = room < 12 ? '' : cutToWidth(visibleLine(citationWords(citation)), room)
  return behind === ''
    ? `  ${mark} ${style.path(name.trimEnd())}`
    : `  ${mark} ${style.path(name)}  ${style.faint(behind)}`
}

/** A status line at the bottom. It is removed before anything else is written. */
interface StatusLine {
  show(text: string): void
  /** The end of a text that is still being written, faint. */
  preview(text: string): void
  clear(): void
}

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const frameMs = 100

export function statusLine({ messages, messageStyle }: Pick<Terminal, 'messages' | 'messageStyle'>): StatusLine {
  let fitted = (_room: number): string => ''
  let frame = 0
  let timer: NodeJS.Timeout | undefined
  const line = liveLine(messages, (columns) => {
    const text = fitted(Math.max(20, columns) - 4)
    return `${messageStyle.good(frames.charAt(frame))} ${messageStyle.faint(text)}`
  })

  function show(next: typeof fitted): void {
    fitted = next
    timer ??= setInterval(() => {
      frame = (frame + 1) % frames.length
      line.draw()
    }, frameMs)
    timer.unref()
    line.draw()
  }

  return {
    show: (next) => show((room) => cutPath(visibleLine(next), room)),
    preview: (next) => show((room) => endOf(next, room)),
    clear() {
      clearInterval(timer)
      timer = undefined
      line.clear()
    },
  }
}

function endOf(text: string, room: number): string {
  let shown = visibleLine(text.slice(-2 * room))
  while (textWidth(shown) > room) shown = shown.slice(1)
  return shown
}

/** For output that is not a screen. */
const noStatusLine: StatusLine = { show: () => {}, preview: () => {}, clear: () => {} }

/** Traces model errors for `--verbose`; unexpected errors with their stack. */
export function traceTurn(event: AgentEvent, { trace }: Pick<Terminal, 'trace'>): void {
  for (const line of linesFor(event)) trace(terminalText(line))
}

function linesFor(event: AgentEvent): string[] {
  if (event.type === 'retrying') return traceLines({ step: 'stream-error', text: visibleLine(event.why) })
  if (event.type !== 'run-end' || event.failure === undefined) return []
  const { text, data } = event.failure
  const stack = typeof data?.stack === 'string' ? data.stack : undefined
  return traceLines({ step: 'stream-error', text: visibleLine(text), stack })
}

/**
 * Addresses of the notes below a folder: in Obsidian if the folder is a vault of Obsidian's, otherwise the file. Both
 * are percent-encoded, so that no name of a note can end the terminal's sequence.
 */
export function noteAddresses(root: string): AddressOf {
  const isObsidian = existsSync(join(root, '.obsidian'))
  return ({ path, heading }) => {
    if (path === undefined) return undefined
    if (!isObsidian) return pathToFileURL(join(root, path)).href
    const file = heading === undefined ? path : `${path}#${heading}`
    return `obsidian://open?vault=${encodeURIComponent(basename(root))}&file=${encodeURIComponent(file)}`
  }
}
