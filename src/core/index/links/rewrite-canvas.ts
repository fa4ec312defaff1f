import type { NotePath } from '../../vault/index.js'
import type { MoveContext } from './link-after-move.js'
import { rewriteLinks, splice, type TextEdit } from './rewrite-links.js'

// `!` is used on offsets, with one entry for each character of a string and one for its end, and on levels that were
// counted.

/** Rewrites a canvas's references to moved files: file cards, group backgrounds, and links in text cards. */
export function rewriteCanvas(context: MoveContext, source: NotePath, text: string) {
  return editCanvas(text, {
    links: (markdown) => rewriteLinks(context, source, markdown).edits,
    file(written) {
      const path = context.before.exact(written)
      const to = path === undefined ? undefined : context.moved.get(path)
      return to === undefined ? {} : { path: to }
    },
  })
}

interface CanvasEdits {
  /** Edits of the Markdown of a text card. */
  links: (markdown: string) => readonly TextEdit[]
  /** The new path and subpath of a file card, or the new path of a group's background. */
  file: (path: string, subpath: string | undefined) => { path?: string; subpath?: string | undefined }
}

/** Edits the references of a canvas. Only the characters of a path or link change, whatever the layout of the JSON. */
export function editCanvas(text: string, { links, file }: CanvasEdits) {
  const strings = canvasStrings(text)
  const edits = strings.flatMap((string) => {
    const { field, value, card } = string
    const whole = (fresh: string | undefined): TextEdit[] =>
      fresh === undefined || fresh === value ? [] : [{ start: 0, end: value.length, text: fresh }]
    const other = (name: CanvasString['field']) =>
      strings.find((each) => each.card === card && each.field === name)?.value
    const within = {
      text: () => links(value),
      background: () => whole(file(value, undefined).path),
      file: () => whole(file(value, other('subpath')).path),
      subpath: () => whole(file(other('file') ?? '', value).subpath),
    }[field]()
    return within.map(({ start, end, text: fresh }): TextEdit => {
      const [from, to] = [string.offsets[start]!, string.offsets[end]!]
      return { start: from, end: to, text: encodeInJson(fresh, text.slice(string.offsets[0], string.offsets.at(-1))) }
    })
  })
  return { text: splice(text, edits), count: edits.length }
}

/** A string of a canvas that can refer to a file, with the position of each of its characters in the JSON. */
interface CanvasString {
  /** `file` and `subpath` of a file card, `background` of a group: paths. `text` of a text card: Markdown. */
  field: 'file' | 'subpath' | 'background' | 'text'
  /** The number of its card. */
  card: number
  value: string
  /** Start of each character of the value in the source, plus the end. */
  offsets: readonly number[]
}

/** The strings of a canvas's cards; none if it is not valid JSON. */
function canvasStrings(source: string): CanvasString[] {
  if (!isJson(source)) return []
  const strings: CanvasString[] = []
  const open: Container[] = []
  let card = 0
  for (let at = 0; at < source.length; at++) {
    const character = source[at]
    const inner = open.at(-1)
    if (character === '{' || character === '[') open.push({ isObject: character === '{', key: undefined })
    else if (character === '}' || character === ']') {
      if (isCard(open)) card++
      open.pop()
    } else if (character === ',' && inner?.isObject) inner.key = undefined
    else if (character === '"') {
      const end = endOfString(source, at)
      if (inner?.isObject && inner.key === undefined) inner.key = JSON.parse(source.slice(at, end)) as string
      else if (isField(inner?.key) && isCard(open))
        strings.push({ field: inner.key, card, ...decodeJsonString(source, at + 1, end - 1) })
      at = end - 1
    }
  }
  return strings
}

/** Encodes a text as JSON with the same escaping style as `before`. */
function encodeInJson(text: string, before: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  const slashed = before.includes('\\/') ? escaped.replaceAll('/', '\\/') : escaped
  if (!/\\u[0-9a-f]{4}/i.test(before)) return slashed
  return slashed.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

interface Container {
  isObject: boolean
  /** The key whose value comes next. */
  key: string | undefined
}

const isField = (key: string | undefined): key is CanvasString['field'] =>
  key === 'file' || key === 'subpath' || key === 'background' || key === 'text'

/** True inside `{"nodes": [{`. */
const isCard = (open: readonly Container[]): boolean =>
  open.length === 3 && open[0]!.key === 'nodes' && !open[1]!.isObject

function isJson(source: string): boolean {
  try {
    JSON.parse(source.replace(/^\uFEFF/, ''))
    return true
  } catch {
    // A syntax error is the answer.
    return false
  }
}

function endOfString(source: string, open: number): number {
  let at = open + 1
  while (source[at] !== '"') at += source[at] === '\\' ? 2 : 1
  return at + 1
}

function decodeJsonString(source: string, start: number, end: number): Pick<CanvasString, 'value' | 'offsets'> {
  const units: string[] = []
  const offsets: number[] = []
  for (let at = start; at < end; ) {
    const length = source[at] !== '\\' ? 1 : source[at + 1] === 'u' ? 6 : 2
    units.push(length === 1 ? source[at]! : (JSON.parse(`"${source.slice(at, at + length)}"`) as string))
    offsets.push(at)
    at += length
  }
  offsets.push(end)
  return { value: units.join(''), offsets }
}
