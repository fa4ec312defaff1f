import type { Key, Keyboard } from '../../../keyboard/index.js'
import { cutToWidth, type Style } from '../../../terminal/index.js'
import { type Buffer, bufferOf, edit, emptyBuffer, moveLine } from './edit-buffer.js'
import { type Layout, layOut } from './lay-out.js'

export interface PromptOptions {
  mark: string
  style: Style
  /** A faint line above; asked each time it is drawn. */
  status?(): string
  initial?: string
  /** Earlier inputs, oldest first. */
  history?: readonly string[]
  isMultiline?: boolean
  /** How many suggestions are shown at a time. */
  rows?: number
  /** Nothing but a suggestion can be sent: Esc leaves. */
  isChoice?: boolean
  /** What the text before the cursor could go on with. */
  suggest?(buffer: Buffer): Suggestions | undefined
  onBackTab?(): void
  /** Is given a way to draw the prompt anew, or below a line of news, for as long as it is open. Returns how to stop. */
  follow?(tell: (news?: string) => void): () => void
  signal?: AbortSignal
}

export interface Suggestions {
  names: readonly string[]
  /** Enter takes the one that is marked, and sends it. */
  isSentByEnter?: boolean
  /** The buffer with one of them taken. */
  take(at: number): Buffer
}

/** How an input ended. `end` is Ctrl-D on an empty line, or a question that became void. */
export type Typed = { kind: 'text' | 'interrupt' | 'escape' | 'end'; text: string }

const shownSuggestions = 5

/** Lets a person write: history, several lines, suggestions. Draws itself and leaves what was sent on the screen. */
export function readPrompt(keys: Keyboard, screen: NodeJS.WriteStream, options: PromptOptions): Promise<Typed> {
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
      painter.draw(layOut(buffer, options.mark, columns(screen)), { above: statusOf(options, screen), below })
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
      buffer = bufferOf(at === history.length ? draft : history[at])
      suggestions = undefined
      draw()
    }

    function finish(kind: Typed['kind']): void {
      stopListening()
      stopFollowing?.()
      screen.off('resize', draw)
      signal?.removeEventListener('abort', abort)
      painter.leave(layOut(buffer, options.mark, columns(screen)))
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

    /** Whether the key was about the suggestions. */
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
      if (news !== undefined) painter.say(news)
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
  return status === undefined ? [] : [style.faint(cutToWidth(status(), columns(screen) - 1))]
}

interface PromptPainter {
  draw(layout: Layout, around: { above: string[]; below: string[] }): void
  /** Leaves only what was written, with the cursor on the line below. */
  leave(layout: Layout): void
  /** Puts a line where the prompt is; it is to be drawn again below. */
  say(line: string): void
  forget(): void
}

/** Redraws in place: up to where it began, everything below cleared, drawn anew. */
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
