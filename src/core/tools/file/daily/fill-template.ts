import { formatMoment } from './format-moment.js'
import type { WallTime } from './wall-time.js'

/** Fills in what Obsidian's templates know: `{{date}}`, `{{time}}`, `{{title}}`, the first two with `:format`. */
export function fillTemplate(template: string, title: string, time: WallTime): string {
  return template.replace(placeholder, (_, name: string, format: string | undefined) => {
    const kind = name.toLowerCase()
    return kind === 'title' ? title : formatMoment(time, format || defaultFormats[kind])
  })
}

const placeholder = /\{\{[ \t]{0,9}(date|time|title)[ \t]{0,9}(?::[ \t]{0,9}([^{}\n]{0,200}?))?[ \t]{0,9}\}\}/gi
const defaultFormats: Record<string, string> = { date: 'YYYY-MM-DD', time: 'HH:mm' }
