import type { AgentEvent, Citation } from '../../../core/agent/index.js'
import type { StepUsage } from '../../../core/model/index.js'
import { compactedLine, projectLine, retryLine, waitingLine } from '../../../core/session/index.js'
import { duration } from '../show/quantities.js'
import { cutToWidth, type Terminal, visibleLine, visibleText } from '../terminal/index.js'
import { type LiveLine, liveLine, noLiveLine } from './live-line.js'
import { type MarkdownStream, markdownStream } from './markdown/index.js'
import { showSources } from './show-sources.js'
import { callLabel, toolRow } from './tool-row.js'

/** Draws a turn as it happens: the answer on standard output, everything about it on standard error. */
export interface TurnScreen {
  show(event: AgentEvent): void
  /** Clears the way for someone else who writes in between, such as a question to the person. */
  pause(): void
}

export function turnScreen(terminal: Terminal): TurnScreen {
  const { messageStyle, isScreen } = terminal
  const live: LiveLine = terminal.messages.isTTY && terminal.isScreen ? liveLine(terminal) : noLiveLine
  const running = new Map<string, { label: string; startedAt: number; isShown: boolean }>()
  let words: MarkdownStream | undefined
  let thought: { text: string; startedAt: number } | undefined
  let sources: readonly Citation[] = []
  let pausedAt: number | undefined
  let last: 'nothing' | 'row' | 'words' = 'nothing'

  /** The time in which a person was deciding is not the tool's. */
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
    // Nobody reads along where the output is a file: there the answer comes whole, without what led to it.
    if (!isScreen) return
    words ??= markdownStream(terminal.style, terminal.width)
    print(words.push(text))
    if (words.pending() === '') live.show('Writing')
    else live.preview(words.pending())
  }

  function endCall(event: Extract<AgentEvent, { type: 'tool-result' }>): void {
    const call = running.get(event.call.id)
    running.delete(event.call.id)
    if (call?.isShown) {
      say(toolRow(call.label, event, performance.now() - call.startedAt, messageStyle, terminal.messageWidth))
    }
    const next = [...running.values()].find(({ isShown }) => isShown)
    if (next !== undefined) live.show(next.label)
  }

  function end({ text, reason, usage, steps }: Extract<AgentEvent, { type: 'run-end' }>): void {
    endThought()
    endWords()
    live.clear()
    if (!isScreen && text.trim() !== '') terminal.print(visibleText(text.trimEnd()))
    if (sources.length > 0) terminal.print(`\n${showSources(sources, terminal.style, terminal.width)}`)
    if (reason === 'step-limit') {
      say(messageStyle.warning(`Stopped after ${steps} steps; the answer is from what was found until then.`))
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
          // Behind the answer, wherever that goes.
          sources = event.citations
          return
        case 'messages':
        case 'call-handed':
        case 'approval-asked':
        case 'approval-decided':
          // Whoever asks the person draws the panel.
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
    `${steps} step(s)`,
    input !== undefined && `${number(input)} tokens in${cachedInput ? ` (${number(cachedInput)} cached)` : ''}`,
    output !== undefined && `${number(output)} tokens out${reasoning ? ` (${number(reasoning)} reasoning)` : ''}`,
    cost !== undefined && `$${cost.toFixed(4)}`,
  ]
  return `usage: ${parts.filter(Boolean).join(', ')}`
}
