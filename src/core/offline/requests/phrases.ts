/**
 * Requests as a person would say them, made into patterns. `{note}` is a name of one line, in quotation marks or
 * brackets or bare; `{content}` is any text. Round brackets group, `|` and `?` mean what they mean in patterns.
 */
export function phrases(...forms: string[]): (text: string) => Record<string, string> | undefined {
  const patterns = forms.map(pattern)
  return (text) => {
    for (const each of patterns) {
      const match = each.exec(text)
      if (match !== null) return { ...match.groups }
    }
    return undefined
  }
}

const longestName = 200
const quoted = [
  String.raw`\[\[[^\]\n]{1,${longestName}}\]\]`,
  ...['""', '“”', '‘’', '«»', "''", '``'].map(
    ([open, close]) => `${open}[^${open}${close}\\n]{1,${longestName}}${close}`,
  ),
  `„[^“”\\n]{1,${longestName}}[“”]`,
].join('|')
// A name that begins with a quotation mark ends with one, whatever words are in between.
const name = `${quoted}|(?!["“„«\`]|\\[\\[)[^\\n]{1,${longestName}}?`
// Taken from behind, so that the last "to" of "add x to y" is the one that counts. Bounded, so that no text is slow.
const content = String.raw`[\s\S]{1,200000}`

function pattern(form: string): RegExp {
  const source = form
    .replace(/([\w)}(])'(?=s\b)/g, "$1['’]")
    .replace(/\((?!\?)/g, '(?:')
    .replace(/ /g, '\\s{1,9}')
    .replace(
      /\{([a-z]\w*)\}/gi,
      (_all, group: string) => `(?<${group}>${group === 'content' || group === 'task' ? content : name})`,
    )
  return new RegExp(`^\\s*${source}[\\s.!?]*$`, 'iu')
}
