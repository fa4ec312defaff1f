import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { matchNotes } from '../../../core/session/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import { privateFolder } from '../../../hosts/node/state-folders.js'
import type { Key, Keyboard } from '../terminal/keyboard.js'
import type { Style } from '../terminal/terminal.js'
import { cutToWidth, linesAtWords, padToWidth, textWidth, wrapToWidth } from '../terminal/text-width.js'
import type { Buffer } from './edit-buffer.js'
import { bufferOf, characters, edit, emptyBuffer, moveLine } from './edit-buffer.js'

export interface PromptOptions {
  mark: string
  style: Style
  /** Faint text above; asked each time it is drawn. */
  status?(): string
  initial?: string
  /** Earlier inputs, oldest first. */
  history?: readonly string[]
  isMultiline?: boolean
  /** Maximum number of suggestions shown at a time. */
  rows?: number
  /** Nothing but a suggestion can be sent: Esc leaves. */
  isChoice?: boolean
  /** Completions for the text before the cursor. */
  suggest?(buffer: Buffer): Suggestions | undefined
  onBackTab?(): void
  /**
   * Receives a function that redraws the prompt, or draws it below a news line, while it is open. Returns a stop
   * function.
   */
  follow?(tell: (news?: string) => void): () => void
  signal?: AbortSignal | undefined
}

export interface Suggestions {
  names: readonly string[]
  /** Enter takes the one that is marked, and sends it. */
  isSentByEnter?: boolean
  /** The buffer with that suggestion inserted. */
  take(at: number): Buffer
}

/** Kind of input. `end` is Ctrl-D on an empty line, or a withdrawn question. */
export type PromptResult = { kind: 'text' | 'interrupt' | 'escape' | 'end'; text: string }

const shownSuggestions = 5

/** Reads the user's input: history, several lines, suggestions. Draws itself and leaves the sent text on the screen. */
export function promptUser(keys: Keyboard, screen: NodeJS.WriteStream, options: PromptOptions): Promise<PromptResult> {
  const { history = [], isMultiline = false, style, signal } = options
  return new Promise((resolve) => {
    const painter = promptPainter(screen)
    let buffer = bufferOf(options.initial ?? '')
    let at = history.length
    let draft = ''
    let suggestions: Suggestions | undefined
    let chosen = 0

    function draw(): void {
      const names = suggestions?.names ?? []
      const rows = options.rows ?? shownSuggestions
      const first = Math.max(0, Math.min(chosen - rows + 2, names.length - rows))
      const room = columns(screen) - 5
      const below = names.slice(first, first + rows).map((name, index) => {
        const shown = cutToWidth(name, room)
        return first + index === chosen ? `  › ${shown}` : style.faint(`    ${shown}`)
      })
      painter.draw(layoutPrompt(buffer, options.mark, columns(screen)), { above: statusOf(options, screen), below })
    }

    function change(next: Buffer): void {
      buffer = next
      suggestions = options.suggest?.(buffer)
      if (suggestions?.names.length === 0) suggestions = undefined
      chosen = 0
      draw()
    }

    function recall(by: -1 | 1) {
      const moved = moveLine(buffer, by)
      if (moved !== undefined) return change(moved)
      const wanted = at + by
      if (wanted < 0 || wanted > history.length) return
      if (at === history.length) draft = buffer.text
      at = wanted
      buffer = bufferOf(history[at] ?? draft)
      suggestions = undefined
      draw()
    }

    function finish(kind: PromptResult['kind']): void {
      stopListening()
      stopFollowing?.()
      screen.off('resize', draw)
      signal?.removeEventListener('abort', abort)
      painter.leave(layoutPrompt(buffer, options.mark, columns(screen)))
      resolve({ kind, text: buffer.text })
    }

    function enter() {
      const isContinued = isMultiline && /\\$/.test(buffer.text.slice(0, buffer.cursor))
      if (!isContinued) return finish('text')
      const { text, cursor } = buffer
      change({ text: `${text.slice(0, cursor - 1)}\n${text.slice(cursor)}`, cursor })
    }

    function press(key: Key) {
      if (key.ctrl && key.name === 'c') return finish('interrupt')
      if (key.ctrl && key.name === 'd' && buffer.text === '') return finish('end')
      if (key.ctrl && key.name === 'l') return clearScreen(screen, painter, draw)
      if (key.name === 'backtab') {
        options.onBackTab?.()
        return draw()
      }
      if (suggestions !== undefined && steer(key, suggestions)) return
      if (key.name === 'escape') return finish('escape')
      if (key.name === 'return') return enter()
      if (key.name === 'newline' && !isMultiline) return finish('text')
      if (key.name === 'up' || key.name === 'down') return recall(key.name === 'up' ? -1 : 1)
      const pasted = key.name === 'paste' && !isMultiline ? { ...key, text: key.text.replace(/\n+/g, ' ') } : key
      const edited = edit(buffer, pasted)
      if (edited !== undefined) change(edited)
    }

    /** True if the key was about the suggestions. */
    function steer(key: Key, open: Suggestions): boolean {
      const count = open.names.length
      if (key.name === 'up' || key.name === 'down') chosen = (chosen + (key.name === 'up' ? count - 1 : 1)) % count
      else if (key.name === 'tab') {
        change(open.take(chosen))
        return true
      } else if (key.name === 'return' && open.isSentByEnter) {
        buffer = open.take(chosen)
        finish('text')
        return true
      } else if (key.name === 'escape' && !options.isChoice) suggestions = undefined
      else return false
      draw()
      return true
    }

    const abort = () => {
      buffer = emptyBuffer
      finish('end')
    }
    const stopListening = keys.listen(press)
    const stopFollowing = options.follow?.((news) => {
      if (news !== undefined) painter.say(linesAtWords(news, columns(screen)))
      draw()
    })
    screen.on('resize', draw)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    else change(buffer)
  })
}

const columns = (screen: NodeJS.WriteStream): number => Math.max(20, screen.columns || 80)

function statusOf({ status, style }: PromptOptions, screen: NodeJS.WriteStream): string[] {
  return status === undefined ? [] : statusLines(status(), columns(screen) - 1).map(style.faint)
}

/** Set into lines between its parts, which are kept whole where they fit. */
export function statusLines(text: string, width: number): string[] {
  const lines: string[] = []
  for (const part of text.split(separator)) {
    const joined = lines.length === 0 ? part : `${lines[lines.length - 1]}${separator}${part}`
    if (lines.length > 0 && textWidth(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(...wrapToWidth(part, width))
  }
  return lines
}

const separator = ' · '

interface PromptPainter {
  draw(layout: PromptLayout, around: { above: string[]; below: string[] }): void
  /** Leaves only the text, with the cursor on the line below. */
  leave(layout: PromptLayout): void
  /** Puts a line where the prompt is; it is to be drawn again below. */
  say(line: string): void
  forget(): void
}

/** Redraws in place: up to where it began, everything below cleared, drawn again. */
function promptPainter(screen: NodeJS.WriteStream): PromptPainter {
  let cursorRow = 0
  const back = () => `${cursorRow > 0 ? `\x1b[${cursorRow}A` : ''}\r\x1b[J`
  return {
    draw({ rows, row, column }, { above, below }) {
      // More rows than the screen has could not be redrawn: those around the cursor are shown.
      const room = Math.max(1, (screen.rows || 24) - above.length - below.length - 1)
      const first = Math.max(0, Math.min(row - Math.floor(room / 2), rows.length - room))
      const shown = [...above, ...rows.slice(first, first + room), ...below]
      const target = above.length + row - first
      const up = shown.length - 1 - target
      screen.write(`${back()}${shown.join('\n')}${up > 0 ? `\x1b[${up}A` : ''}\r${column > 0 ? `\x1b[${column}C` : ''}`)
      cursorRow = target
    },
    leave({ rows }) {
      screen.write(`${back()}${rows.join('\n')}\n`)
      cursorRow = 0
    },
    say(line) {
      screen.write(`${back()}${line}\n`)
      cursorRow = 0
    },
    forget() {
      cursorRow = 0
    },
  }
}

function clearScreen(screen: NodeJS.WriteStream, painter: PromptPainter, draw: () => void): void {
  screen.write('\x1b[2J\x1b[H')
  painter.forget()
  draw()
}

interface PromptLayout {
  rows: string[]
  /** Cursor position in these lines, from 0. */
  row: number
  column: number
}

/** Wraps the text into rows of a width, the first after `mark`, the others indented below its text. */
export function layoutPrompt({ text, cursor }: Buffer, mark: string, width: number): PromptLayout {
  const indent = ' '.repeat(textWidth(mark))
  const rows = [mark]
  let used = indent.length
  let offset = 0
  let place = { row: 0, column: used }
  const breakRow = () => {
    rows.push(indent)
    used = indent.length
  }
  const all = characters(text)
  for (const [at, character] of all.entries()) {
    // A word that does not fit begins a row, unless it is longer than a row.
    const isWordStart = character.trim() !== '' && (all[at - 1] ?? ' ').trim() === ''
    if (isWordStart && used > indent.length) {
      const wide = wordWidth(all, at, width)
      if (used + wide > width - 1 && indent.length + wide <= width - 1) breakRow()
    }
    if (offset === cursor) place = { row: rows.length - 1, column: used }
    offset += character.length
    if (character === '\n') {
      breakRow()
      continue
    }
    const shown = character === '\t' ? '    ' : character
    const wide = textWidth(shown)
    // The last column stays free: a full row would make some terminals begin another by themselves.
    if (used + wide > width - 1) {
      breakRow()
      if (offset - character.length === cursor) place = { row: rows.length - 1, column: used }
    }
    rows[rows.length - 1] += shown
    used += wide
  }
  if (cursor >= offset) place = { row: rows.length - 1, column: used }
  return { rows, ...place }
}

/** Width of the word that begins there, counted up to `most`. */
function wordWidth(all: readonly string[], start: number, most: number): number {
  let wide = 0
  for (const character of all.slice(start, start + most + 1)) {
    if (character.trim() === '' || wide > most) break
    wide += textWidth(character)
  }
  return wide
}

interface ChooseOptions {
  title: string
  choices: readonly Choice[]
  style: Style
  signal?: AbortSignal
}

const rows = 10

/** Lets a user choose from a list: arrows, or a few letters, then Enter. undefined: cancelled. */
export async function choose(
  keys: Keyboard,
  screen: NodeJS.WriteStream,
  { title, choices, style, signal }: ChooseOptions,
): Promise<string | undefined> {
  const typed = await promptUser(keys, screen, {
    mark: '› ',
    style,
    status: () => title,
    suggest: (buffer) => suggestWords(buffer, 0, choices),
    rows,
    isChoice: true,
    signal,
  })
  const word = typed.text.trim()
  return typed.kind === 'text' && word !== '' ? word : undefined
}

interface PromptHistory {
  readonly entries: readonly string[]
  add(text: string): Promise<void>
}

const most = 1000
const longest = 20_000

/** Prompt history across sessions: one JSON string a line, in a file only the user can read. */
export async function promptHistory(state: string): Promise<PromptHistory> {
  const file = join(state, 'chat-history.jsonl')
  const entries = read(await readFile(file, 'utf8').catch(() => ''))
  if (entries.length > most) {
    entries.splice(0, entries.length - most)
    await writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 }).catch(
      () => {},
    )
  }
  return {
    entries,
    async add(text) {
      if (text === entries.at(-1) || text.trim() === '' || text.length > longest) return
      entries.push(text)
      // A history that cannot be kept is no reason to stop talking.
      await privateFolder(state)
        .then(() => appendFile(file, `${JSON.stringify(text)}\n`, { mode: 0o600 }))
        .catch(() => {})
    },
  }
}

function read(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return typeof entry === 'string' ? [entry] : []
    } catch {
      return []
    }
  })
}

/** Suggests notes for the text after an `@` before the cursor. */
export function suggestNotes({ text, cursor }: Buffer, paths: readonly NotePath[]): Suggestions | undefined {
  const before = text.slice(0, cursor)
  const typed = /(?:^|[\s(])@(?:\[\[)?([^@[\]\n]*)$/.exec(before)?.[1]
  if (typed === undefined) return undefined
  const start = cursor - typed.length - (before.endsWith(`[[${typed}`) ? 2 : 0)
  const notes = matchNotes(typed, paths)
  return {
    names: notes.map(({ label }) => label),
    take(at) {
      const link = `[[${notes[at]?.label ?? typed}]] `
      return { text: text.slice(0, start) + link + text.slice(cursor), cursor: start + link.length }
    },
  }
}

/** A word to choose, and its meaning. */
export interface Choice {
  word: string
  about?: string
}

/** Choices that begin with, or else contain, the text from `start` on. Enter takes one and sends it. */
export function suggestWords({ text }: Buffer, start: number, choices: readonly Choice[]): Suggestions | undefined {
  const typed = text.slice(start).toLowerCase()
  const begin = choices.filter(({ word }) => word.toLowerCase().startsWith(typed))
  const others = choices.filter((choice) => !begin.includes(choice) && choice.word.toLowerCase().includes(typed))
  const fitting = [...begin, ...others]
  if (fitting.length === 0) return undefined
  const width = Math.min(40, Math.max(...fitting.map(({ word }) => textWidth(word))))
  return {
    names: fitting.map(({ word, about }) => (about ? `${padToWidth(word, width)}  ${about}` : word)),
    isSentByEnter: true,
    take(at) {
      const taken = text.slice(0, start) + (fitting[at]?.word ?? text.slice(start))
      return { text: taken, cursor: taken.length }
    },
  }
}
