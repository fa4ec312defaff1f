import type { ReadStream, WriteStream } from 'node:tty'
import { Failure } from '../../../core/errors.js'
import { visibleJson, visibleText as withHiddenShown } from '../../../core/text/index.js'
import { type ProgressBar, progressBar } from './live-line.js'
import { linesAtWords } from './text-width.js'

export interface TerminalOptions {
  json: boolean
  verbose: boolean
  color: 'auto' | 'always' | 'never'
}

/** The user's side of a command. Data goes to standard output, messages to standard error. */
export interface Terminal {
  readonly json: boolean
  /**
   * Columns available on standard output, and on standard error; infinite if it is not a screen, so that nothing is
   * cut.
   */
  readonly width: number
  readonly messageWidth: number
  readonly height: number
  /** Paints for standard output, and for standard error. */
  readonly style: Style
  readonly messageStyle: Style
  /** A text on standard output that opens an address when it is clicked, where the terminal can do that. */
  link(text: string, address: string): string
  /** Standard output is a terminal. */
  readonly isScreen: boolean
  /** Both ends of a conversation are a user. */
  readonly canAsk: boolean
  readonly input: NodeJS.ReadStream
  readonly messages: NodeJS.WriteStream
  print(text: string): void
  printJson(value: unknown): void
  say(text: string): void
  /** Only with `--verbose`. Never note text, never keys. */
  trace(text: string): void
  progress(): ProgressBar
  /** Applies the color setting. An explicit `--no-color` takes precedence. */
  useColor(wish: TerminalOptions['color']): void
}

export interface Streams {
  /** Opened lazily, since opening it takes a while. */
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
    link: (text, address) =>
      hasColor(output, color, environment) && hasLinks(output, environment) ? hyperlink(text, address) : text,
    isScreen: isTerminal(output) && environment.TERM !== 'dumb',
    get canAsk() {
      return isTerminal(streams.input) && isTerminal(messages)
    },
    get input() {
      return streams.input
    },
    messages,
    print: (text) => void output.write(`${linesAtWords(text, columnsOf(output))}\n`),
    // A user reading JSON gets it indented; a program gets one line.
    printJson: (value) => void output.write(`${jsonLine(value, isTerminal(output) ? 2 : undefined)}\n`),
    say: (text) => void messages.write(`${linesAtWords(text, columnsOf(messages))}\n`),
    trace: (text) => {
      if (options.verbose) messages.write(`[Notewright] ${text}\n`)
    },
    progress: () => (isTerminal(messages) ? progressBar(messages, messageStyle) : { show: () => {}, clear: () => {} }),
    useColor: (wish) => {
      if (color !== 'auto') return
      color = wish
      outputStyle = style(hasColor(output, color, environment))
      messageStyle = style(hasColor(messages, color, environment))
    },
  }
}

/** Below this no line could hold a word and its indentation. */
const narrowest = 20

export function columnsOf(stream: WriteStream): number {
  return isTerminal(stream) ? Math.max(narrowest, stream.columns || 80) : Number.POSITIVE_INFINITY
}

function hasColor(stream: WriteStream, wish: TerminalOptions['color'], environment: Streams['environment']): boolean {
  if (wish !== 'auto') return wish === 'always'
  if (environment.NO_COLOR) return false
  return isTerminal(stream) && environment.TERM !== 'dumb'
}

/** Terminals that open links (OSC 8), by the variables they set. Others may show the address as text. */
function hasLinks(stream: WriteStream, environment: Streams['environment']): boolean {
  const { FORCE_HYPERLINK: wish, TERM = '', TERM_PROGRAM = '', TERM_PROGRAM_VERSION = '' } = environment
  if (wish) return wish !== '0'
  if (!isTerminal(stream) || TERM === 'dumb' || environment.CI) return false
  if (TERM_PROGRAM === 'tmux') return versionOf(TERM_PROGRAM_VERSION) >= 3.4
  if (environment.TMUX || TERM.startsWith('screen')) return false
  return (
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'zed', 'Hyper', 'rio'].includes(TERM_PROGRAM) ||
    /^(?:xterm-kitty|xterm-ghostty|foot|alacritty|contour|wezterm)/.test(TERM) ||
    Number(environment.VTE_VERSION ?? 0) >= 5000 ||
    Number(environment.KONSOLE_VERSION ?? 0) >= 201_200 ||
    Boolean(environment.WT_SESSION || environment.KITTY_WINDOW_ID || environment.DOMTERM)
  )
}

const versionOf = (text: string): number => Number(/\d+\.\d+/.exec(text)?.[0] ?? 0)

/** An address with a character that could end the sequence is left out. */
function hyperlink(text: string, address: string): string {
  return /^[\x21-\x7e]+$/.test(address) ? `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\` : text
}

function isTerminal(stream: ReadStream | WriteStream): boolean {
  return stream.isTTY === true
}

export type Paint = (text: string) => string

/** The few ways text is set apart. Without colour every paint is the identity. */
export interface Style {
  strong: Paint
  emphasis: Paint
  faint: Paint
  good: Paint
  warning: Paint
  bad: Paint
  match: Paint
  path: Paint
  added: Paint
  removed: Paint
  /** Words that differ, inside a line already painted. */
  changed: Paint
}

export function style(hasColor: boolean): Style {
  const paint = (open: number, close: number): Paint =>
    hasColor ? (text) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text
  return {
    strong: paint(1, 22),
    emphasis: paint(3, 23),
    faint: paint(2, 22),
    good: paint(32, 39),
    warning: paint(33, 39),
    bad: paint(31, 39),
    match: paint(33, 39),
    path: paint(36, 39),
    added: paint(32, 39),
    removed: paint(31, 39),
    changed: paint(7, 27),
  }
}

/**
 * Escapes untrusted text for a terminal: control characters, escape sequences, bidirectional marks and invisible
 * characters are shown as `⟦U+001B⟧` instead of being interpreted.
 */
export function terminalText(text: string): string {
  return withHiddenShown(text).text.replace(/[\r\uFEFF]/g, (character) =>
    character === '\r' ? '⟦U+000D⟧' : '⟦U+FEFF⟧',
  )
}

/** The same on a single line: line breaks and tabs become spaces. */
export function visibleLine(text: string): string {
  return terminalText(text.replace(/[\r\n\t\v\f\u0085\u2028\u2029]+/g, ' '))
}

/** JSON for standard output. Also escapes characters that JSON allows but a terminal might interpret or hide. */
export function jsonLine(value: unknown, indent?: number): string {
  return visibleJson(JSON.stringify(value, withoutBytes, indent))
}

/** Bytes that found their way into a failure's data are written as text, not as an object of numbers. */
function withoutBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value
}

interface Question {
  /** "Move it?" */
  text: string
  /** The message without a user: "Moving a note needs your approval." */
  needs: string
  /** The hint for that case. Default: try --dry-run first. */
  hint?: string
  signal: AbortSignal
}

/** Reads one of these letters as a single key. Enter is '', Esc and Ctrl-D are undefined, Ctrl-C aborts. */
export async function pressKey(
  terminal: Terminal,
  text: string,
  letters: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { freshKeyboard, keyReader } = await import('./keyboard.js')
  const keys = await freshKeyboard(terminal.input, terminal.messages)
  terminal.messages.write(`${text} `)
  try {
    const answer = await keyReader()(keys, { letters, signal })
    terminal.say(answer.kind === 'key' ? answer.key : '')
    signal.throwIfAborted()
    if (answer.kind === 'interrupt') throw new DOMException('Interrupted', 'AbortError')
    return answer.kind === 'key' ? answer.key : undefined
  } finally {
    keys.close()
  }
}

export const checkFirst = 'Check the change with --dry-run, then run again with --yes.'

/** Returns only after a clear yes. Anything else (no, Enter, Ctrl-D, no user) is a Failure that changes nothing. */
export async function confirm(terminal: Terminal, { text, needs, hint, signal }: Question): Promise<void> {
  if (!terminal.canAsk) {
    throw new Failure('needs-approval', needs, {
      hint: hint ?? checkFirst,
    })
  }
  if ((await pressKey(terminal, `${text} [y/N]`, 'yn', signal)) === 'y') return
  throw new Failure('denied', 'Nothing was changed.')
}
