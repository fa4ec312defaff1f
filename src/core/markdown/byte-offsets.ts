/** UTF-16 units between two remembered byte offsets. */
const STRIDE = 1024

/** Maps UTF-16 offsets of `text` to UTF-8 byte offsets. Free for ASCII; otherwise one pass, then short walks. */
export function byteOffsets(text: string): (offset: number) => number {
  if (!/\P{ASCII}/u.test(text)) return (offset) => offset
  const marks = new Float64Array(Math.floor(text.length / STRIDE) + 1)
  for (let mark = 1; mark < marks.length; mark++) {
    marks[mark] = marks[mark - 1] + byteLength(text, (mark - 1) * STRIDE, mark * STRIDE)
  }
  return (offset) => {
    const mark = Math.min(Math.floor(offset / STRIDE), marks.length - 1)
    return marks[mark] + byteLength(text, mark * STRIDE, offset)
  }
}

/** Bytes of a stretch. A surrogate pair's four bytes count with its second half, so a cut between halves counts three. */
function byteLength(text: string, start: number, end: number): number {
  let bytes = 0
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code < 0x80) bytes++
    else if (code < 0x800) bytes += 2
    else if (code >= 0xdc00 && code < 0xe000 && isHighSurrogate(text.charCodeAt(position - 1))) bytes++
    else bytes += 3
  }
  return bytes
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
