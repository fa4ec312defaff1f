const longest = 400
const pairs: readonly [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
]

/** A sentence in quotation marks that do not occur in it. Undefined when nothing can be quoted. */
export function quote(sentence: string): string | undefined {
  const { words, isCut } = shortened(sentence.trim())
  const marks = pairs.find((pair) => !pair.some((mark) => words.includes(mark)))
  if (words.length < 3 || marks === undefined) return undefined
  return `${marks[0]}${words}${marks[1]}${isCut ? '…' : ''}`
}

function shortened(text: string): { words: string; isCut: boolean } {
  if (text.length <= longest) return { words: text, isCut: false }
  const cut = text.slice(0, longest)
  const space = cut.lastIndexOf(' ')
  const length = space > longest / 2 ? space : longest - (/[\ud800-\udbff]$/.test(cut) ? 1 : 0)
  return { words: cut.slice(0, length), isCut: true }
}
