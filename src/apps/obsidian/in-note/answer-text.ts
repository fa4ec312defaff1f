import type { AgentEvent } from '../../../core/agent/index.js'
import { inertText, withoutActiveContent } from '../../../core/approval/index.js'
import { callLabel, whyNotDone } from '../../../core/session/index.js'
import type { ToolResult } from '../../../core/tools/index.js'
import { openFence, withoutHeadings } from './note-chat.js'

interface Step {
  id: string
  label: string
  /** Reason the call failed or was only partly done. */
  outcome?: string | undefined
}
type Part = { words: string } | { steps: Step[] }

/** An answer as it comes into a note: words and folded steps in their order, between two headings. */
export class AnswerText {
  readonly #marks: string
  readonly #parts: Part[] = []
  /** The last text that was fit to be shown. */
  #shown = ''

  constructor(level: number) {
    this.#marks = level > 0 ? `${'#'.repeat(level)} ` : ''
  }

  hear(event: AgentEvent): void {
    if (event.type === 'text-delta') this.#addWords(event.text)
    if (event.type === 'tool-call' && !event.background) this.#addStep({ id: event.call.id, label: callLabel(event) })
    if (event.type === 'tool-result') {
      const outcome = outcomeOf(event.result)
      for (const part of this.#parts) {
        if ('steps' in part) for (const step of part.steps) if (step.id === event.call.id) step.outcome = outcome
      }
    }
  }

  /** True if there is no text to keep. */
  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** The whole stretch, while more is on its way: a word that is not complete is not there yet. */
  growing(): string {
    const text = this.#body((words, isLast) => (isLast ? words.slice(0, words.search(/\S*$/)) : words))
    // Content that would load or run something is held back until it is complete.
    this.#shown = withoutActiveContent(text) ?? this.#shown
    return this.#framed(this.#shown)
  }

  whole(): string {
    return this.#framed(inertText(this.#body((words) => words)))
  }

  #addWords(text: string): void {
    const last = this.#parts[this.#parts.length - 1]
    if (last !== undefined && 'words' in last) last.words += text
    else if (text.trim() !== '') this.#parts.push({ words: text.trimStart() })
  }

  #addStep(step: Step): void {
    const last = this.#parts[this.#parts.length - 1]
    if (last !== undefined && 'steps' in last) last.steps.push(step)
    else this.#parts.push({ steps: [step] })
  }

  #body(wordsOf: (words: string, isLast: boolean) => string): string {
    return this.#parts
      .map((part, at) =>
        'steps' in part ? folded(part.steps) : closed(wordsOf(part.words, at === this.#parts.length - 1)),
      )
      .filter((text) => text !== '')
      .join('\n\n')
  }

  #framed(body: string): string {
    return `\n\n${this.#marks}role::assistant\n\n${body === '' ? '' : `${body}\n\n`}${this.#marks}role::user\n\n`
  }
}

function outcomeOf(result: ToolResult): string | undefined {
  if (!result.ok) return `not done: ${whyNotDone(result)}`
  return result.inPart ? 'done in part' : undefined
}

function folded(steps: readonly Step[]): string {
  const lines = steps.map(({ label, outcome }) => (outcome === undefined ? label : `${label} (${outcome})`))
  const [first, ...others] = lines.map((line) => line.replace(/\s+/g, ' '))
  return [`> [!tool]- ${first}`, ...others.map((line) => `> ${line}`)].join('\n')
}

/** An unclosed code block would swallow the headings after it. */
function closed(words: string): string {
  const text = withoutHeadings(words.trim())
  const fence = openFence(text)
  return fence === undefined ? text : `${text}\n${fence}`
}
