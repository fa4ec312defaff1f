import type { ReadStream, WriteStream } from 'node:tty'
import { type ProgressBar, progressBar } from './progress-bar.js'
import { type Style, style } from './style.js'
import { jsonLine } from './visible-text.js'

export interface TerminalOptions {
  json: boolean
  verbose: boolean
  color: 'auto' | 'always' | 'never'
}

/** The person's side of a command. Data goes to standard output, everything said about it to standard error. */
export interface Terminal {
  readonly json: boolean
  /** Columns to draw in on standard output, and on standard error; endless where nobody looks, so that nothing is cut. */
  readonly width: number
  readonly messageWidth: number
  readonly height: number
  /** Paints for standard output, and for standard error. */
  readonly style: Style
  readonly messageStyle: Style
  /** Standard output is a screen that someone looks at. */
  readonly isScreen: boolean
  /** Both ends of a conversation are a person. */
  readonly canAsk: boolean
  readonly input: NodeJS.ReadStream
  readonly messages: NodeJS.WriteStream
  print(text: string): void
  printJson(value: unknown): void
  say(text: string): void
  /** Only with `--verbose`. Never note text, never keys. */
  trace(text: string): void
  progress(): ProgressBar
  /** What the configuration says; an explicit `--no-color` stays. */
  useColor(wish: TerminalOptions['color']): void
}

export interface Streams {
  /** Asked for only when someone reads from it: opening it takes a while. */
  readonly input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  messages: NodeJS.WriteStream
  environment: Record<string, string | undefined>
}

export function terminal(streams: Streams, options: TerminalOptions): Terminal {
  const { output, messages, environment } = streams
  let color = options.color
  let outputStyle = style(hasColor(output, color, environment))
  let messageStyle = style(hasColor(messages, color, environment))
  return {
    json: options.json,
    // Asked each time: a window changes its size.
    get width() {
      return columnsOf(output)
    },
    get messageWidth() {
      return columnsOf(messages)
    },
    get height() {
      return output.rows || messages.rows || 24
    },
    get style() {
      return outputStyle
    },
    get messageStyle() {
      return messageStyle
    },
    isScreen: isTerminal(output) && environment.TERM !== 'dumb',
    get canAsk() {
      return isTerminal(streams.input) && isTerminal(messages)
    },
    get input() {
      return streams.input
    },
    messages,
    print: (text) => void output.write(`${text}\n`),
    // A person reading JSON gets it indented; a program gets one line.
    printJson: (value) => void output.write(`${jsonLine(value, isTerminal(output) ? 2 : undefined)}\n`),
    say: (text) => void messages.write(`${text}\n`),
    trace: (text) => {
      if (options.verbose) messages.write(`[Notewright] ${text}\n`)
    },
    progress: () =>
      isTerminal(messages)
        ? progressBar((text) => void messages.write(text), messages.columns ?? 80, messageStyle)
        : { show: () => {}, clear: () => {} },
    useColor: (wish) => {
      if (color !== 'auto') return
      color = wish
      outputStyle = style(hasColor(output, color, environment))
      messageStyle = style(hasColor(messages, color, environment))
    },
  }
}

function columnsOf(stream: WriteStream): number {
  return isTerminal(stream) ? Math.max(40, stream.columns || 80) : Number.POSITIVE_INFINITY
}

function hasColor(stream: WriteStream, wish: TerminalOptions['color'], environment: Streams['environment']): boolean {
  if (wish !== 'auto') return wish === 'always'
  if (environment.NO_COLOR) return false
  return isTerminal(stream) && environment.TERM !== 'dumb'
}

function isTerminal(stream: ReadStream | WriteStream): boolean {
  return stream.isTTY === true
}
