/** A string of a canvas that can refer to a file, with the place of each of its characters in the JSON. */
export interface CanvasString {
  /** `file` of a file card, `background` of a group: a path. `text` of a text card: Markdown. */
  field: 'file' | 'background' | 'text'
  value: string
  /** Where character `at` of the value begins in the source; one more for its end. */
  offsets: readonly number[]
}

/** The strings of a canvas's cards. None where it is not JSON: it refers to nothing then. */
export function canvasStrings(source: string): CanvasString[] {
  if (!isJson(source)) return []
  const strings: CanvasString[] = []
  const open: Container[] = []
  for (let at = 0; at < source.length; at++) {
    const character = source[at]
    const inner = open.at(-1)
    if (character === '{' || character === '[') open.push({ isObject: character === '{', key: undefined })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ',' && inner?.isObject) inner.key = undefined
    else if (character === '"') {
      const end = endOfString(source, at)
      if (inner?.isObject && inner.key === undefined) inner.key = JSON.parse(source.slice(at, end)) as string
      else if (isField(inner?.key) && isCard(open))
        strings.push({ field: inner.key, ...decoded(source, at + 1, end - 1) })
      at = end - 1
    }
  }
  return strings
}

/** A text as it must stand in the JSON where another stood, escaped in the same manner. */
export function encodeInJson(text: string, before: string): string {
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
  key === 'file' || key === 'background' || key === 'text'

/** Whether what is open is `{"nodes": [{`. */
const isCard = (open: readonly Container[]): boolean =>
  open.length === 3 && open[0].key === 'nodes' && !open[1].isObject

function isJson(source: string): boolean {
  try {
    JSON.parse(source.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

function endOfString(source: string, open: number): number {
  let at = open + 1
  while (source[at] !== '"') at += source[at] === '\\' ? 2 : 1
  return at + 1
}

function decoded(source: string, start: number, end: number): Pick<CanvasString, 'value' | 'offsets'> {
  const units: string[] = []
  const offsets: number[] = []
  for (let at = start; at < end; ) {
    const length = source[at] !== '\\' ? 1 : source[at + 1] === 'u' ? 6 : 2
    units.push(length === 1 ? source[at] : (JSON.parse(`"${source.slice(at, at + length)}"`) as string))
    offsets.push(at)
    at += length
  }
  offsets.push(end)
  return { value: units.join(''), offsets }
}
