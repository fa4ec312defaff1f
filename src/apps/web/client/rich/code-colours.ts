import highlighter from 'highlight.js/lib/common'
import type { CodeSpan } from '../../../../ui/index.js'

/** The parts of code in a language that is known. */
export function colouredCode(text: string, language: string): readonly CodeSpan[] | undefined {
  if (highlighter.getLanguage(language) === undefined) return undefined
  return spansIn(highlighter.highlight(text, { language, ignoreIllegals: true }).value)
}

/** The highlighter answers with HTML of `<span class>` and text alone. Drawn as nodes, nothing in it is HTML. */
function spansIn(html: string): CodeSpan[] {
  const root: CodeSpan[] = []
  const open = [root]
  for (const [piece, name] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    const inside = open[open.length - 1] ?? root
    if (name !== undefined) {
      const inner: CodeSpan[] = []
      inside.push({ name, inner })
      open.push(inner)
    } else if (piece === '</span>') open.pop()
    else inside.push(plain(piece))
  }
  return root
}

const plain = (html: string): string => html.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name) => signs[name] ?? whole)

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
