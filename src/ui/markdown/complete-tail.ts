/**
 * The unfinished end of a text, as it will most likely be read once it is complete. Without this a reader would see
 * `**bold`, a table as lines with bars, or a link as its address, each for a moment.
 */
export function completeTail(source: string): string {
  const lastLine = source.slice(source.lastIndexOf('\n') + 1)
  const fences = readFences(source)
  if (fences.isOpen) {
    // The line may become the end of the code, or a line of it.
    return /^\s*[`~]+\s*$/.test(lastLine) ? source.slice(0, source.length - lastLine.length) : source
  }
  const isCode = fences.end > source.length - lastLine.length
  const body = !isCode && isUndecided(lastLine) ? source.slice(0, source.length - lastLine.length) : source
  const leafAt = Math.max(startOfLeaf(body), fences.end)
  const leaf = body.slice(leafAt)
  if (isTableWithoutRule(leaf)) return body.slice(0, leafAt)
  if (/^\s*\$\$[^$]*$/.test(leaf)) return `${body.trimEnd()}\n$$`
  return body.slice(0, leafAt) + completeInline(leaf)
}

/** Where the last code block ends, and whether one is open at the end. */
function readFences(source: string): { isOpen: boolean; end: number } {
  let open: string | undefined
  let end = 0
  let at = 0
  for (const line of source.split('\n')) {
    at = Math.min(source.length, at + line.length + 1)
    const [, marks = '', rest = ''] = /^[\s>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (marks === '') continue
    if (open === undefined) open = marks.startsWith('`') && rest.includes('`') ? undefined : marks
    else if (marks.startsWith(open) && rest.trim() === '') {
      open = undefined
      end = at
    }
  }
  return { isOpen: open !== undefined, end }
}

/** A last line of marks alone can begin many things; one that names a callout has no title yet. */
const isUndecided = (line: string): boolean =>
  /^[\s>]*(?:[-=*_+#|~`$%:[\]!]+|\d+[.)]?|[-*+] \[.?\]?|\[\^?[^\]]*)?\s*$/.test(line) ||
  /^[\s>]*>\s*\[![^\n]*$/.test(line)

/** Where the last paragraph, list item, heading or table begins. */
function startOfLeaf(source: string): number {
  const gap = Math.max(source.lastIndexOf('\n\n') + 2, 0)
  const begin = gap === 1 ? 0 : gap
  const items = [...source.slice(begin).matchAll(/^(?:[\s>]*(?:[-*+]|\d+[.)]|#{1,6})[ \t])/gm)]
  const last = items.at(-1)
  return last === undefined ? begin : begin + last.index + last[0].length
}

const isTableWithoutRule = (leaf: string): boolean =>
  /^\s*\|/.test(leaf) && !/\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n/.test(leaf)

/** Marks that enclose words, the longest first. */
const pairs = ['***', '**', '__', '~~', '==', '*', '_']

/** Closes what is open, and leaves out a link, a formula or a comment that is not complete. */
function completeInline(text: string): string {
  const open: string[] = []
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at)
    if (rest.startsWith('\\')) {
      at += 2
      continue
    }
    const ticks = /^`+/.exec(rest)?.[0]
    if (ticks !== undefined) {
      const end = closingTicks(text, at + ticks.length, ticks)
      if (end === -1) return rest === ticks ? text.slice(0, at) + closed(open) : text + ticks + closed(open)
      at = end
      continue
    }
    const whole = complete.exec(rest)?.[0]
    if (whole !== undefined) {
      at += whole.length
      continue
    }
    if (incomplete.test(rest)) return text.slice(0, at).trimEnd() + closed(open)
    const label = /^\[([^\]]*)$|^\[((?:[^\]\\]|\\.)*)\](?:\([^)\n]*)$/.exec(rest)
    if (label !== null && rest.length < longestLink) {
      return text.slice(0, at) + completeInline(label[1] ?? label[2] ?? '') + closed(open)
    }
    const mark = pairs.find((each) => rest.startsWith(each))
    if (mark === undefined) {
      at += 1
      continue
    }
    const after = rest.slice(mark.length)
    const isClosing = open.includes(mark) && /\S$/.test(text.slice(0, at))
    if (isClosing) open.length = open.lastIndexOf(mark)
    // Half of a closing mark.
    else if (after === '') return text.slice(0, at) + closed(open)
    else if (/^\S/.test(after) && !(mark.includes('_') && /\w$/.test(text.slice(0, at)))) open.push(mark)
    at += mark.length
  }
  return open.length === 0 ? text : text.trimEnd() + closed(open)
}

const closed = (open: readonly string[]): string => [...open].reverse().join('')

function closingTicks(text: string, from: number, ticks: string): number {
  for (const { index, 0: found } of text.slice(from).matchAll(/`+/g)) {
    if (found === ticks) return from + index + ticks.length
  }
  return -1
}

const longestLink = 2000

/** A link, an embed, a formula or a comment that is complete. */
const complete =
  /^(?:!?\[\[[^\]\n]*\]\]|!?\[(?:[^\]\\]|\\.)*\]\([^)\n]*\)|\$\$[^$]+\$\$|\$(?![\s$])(?:\\.|[^$\\\n])*?[^\s$]\$(?!\d)|%%[\s\S]*?%%)/

/** One that is not. An amount of money is none. */
const incomplete =
  /^(?:!?\[\[[^\]\n]*\]?$|!(?=[^\n]*\[)\[?[^\]\n]*(?:\][^)\n]*)?$|!$|\$\$[^$]*\$?$|\$(?![\s\d])[^$\n]*$|%%(?:[^%]|%(?!%))*%?$)/
