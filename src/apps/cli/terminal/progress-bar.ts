import type { IndexProgress } from '../../../core/vault-index/index.js'
import type { Style } from './style.js'

export interface ProgressBar {
  show(progress: IndexProgress): void
  /** Takes the bar off the screen. */
  clear(): void
}

const phases: Record<IndexProgress['phase'], string> = {
  listing: 'Looking at the vault',
  reading: 'Reading notes',
  vectors: 'Learning meaning',
  merging: 'Tidying the index',
  embedding: 'Asking for embeddings',
}

/** One line on a terminal, redrawn at most every 80 ms and gone when the work is done. */
export function progressBar(write: (text: string) => void, width: number, style: Style): ProgressBar {
  let drawnAt = 0
  let isDrawn = false
  return {
    show({ phase, done, total }) {
      const now = Date.now()
      if (now - drawnAt < 80) return
      drawnAt = now
      isDrawn = true
      write(`\r\x1b[2K${bar(phases[phase], done, total, width, style)}`)
    },
    clear() {
      if (isDrawn) write('\r\x1b[2K')
      isDrawn = false
    },
  }
}

export function bar(label: string, done: number, total: number, width: number, style: Style): string {
  const counts = total > 0 ? `${done.toLocaleString('en')} / ${total.toLocaleString('en')}` : ''
  const room = Math.min(30, width - label.length - counts.length - 5)
  if (total <= 0 || room < 5) return `${label} ${counts}`.trimEnd()
  const filled = Math.round((Math.min(done, total) / total) * room)
  return `${label}  ${style.good('━'.repeat(filled))}${style.faint('━'.repeat(room - filled))}  ${counts}`
}
