import { cutPath, type Terminal, textWidth, visibleLine } from '../terminal/index.js'

/** One line at the bottom that says what is going on. It is gone before anything else is written. */
export interface LiveLine {
  show(text: string): void
  /** The end of a text that is still being written, faint. */
  preview(text: string): void
  clear(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100

export function liveLine({ messages, messageStyle }: Pick<Terminal, 'messages' | 'messageStyle'>): LiveLine {
  let text: string | undefined
  let isDrawn = false
  let frame = 0
  let timer: NodeJS.Timeout | undefined

  function draw(): void {
    if (text === undefined) return
    const room = Math.max(20, messages.columns || 80) - 3
    messages.write(`\r\x1b[2K${messageStyle.good(frames[frame])} ${messageStyle.faint(cutPath(text, room))}`)
    isDrawn = true
  }

  function show(next: string): void {
    text = next
    timer ??= setInterval(() => {
      frame = (frame + 1) % frames.length
      draw()
    }, frameMs)
    timer.unref()
    draw()
  }

  return {
    show: (next) => show(visibleLine(next)),
    preview(next) {
      const room = Math.max(20, messages.columns || 80) - 4
      let shown = visibleLine(next.slice(-2 * room))
      while (textWidth(shown) > room) shown = shown.slice(1)
      show(shown)
    },
    clear() {
      text = undefined
      clearInterval(timer)
      timer = undefined
      if (isDrawn) messages.write('\r\x1b[2K')
      isDrawn = false
    },
  }
}

/** Where nobody looks. */
export const noLiveLine: LiveLine = { show: () => {}, preview: () => {}, clear: () => {} }
