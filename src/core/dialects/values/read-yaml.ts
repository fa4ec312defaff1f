import { Composer, type CST, Parser } from 'yaml'

/** Deeper values could use up the stack while they are put together, and nobody writes them. */
const depthLimit = 100
/** The more signs, the longer a faulty text takes to be understood. A long text between quotes is one. */
const signsLimit = 50_000

/** Reads a YAML mapping with all its scalars as text; a fault, or nothing, when it is none. */
export function readYaml(text: string): { value?: object; fault?: string } {
  try {
    const tokens = [...new Parser().parse(text)]
    const fault = refuse(tokens)
    if (fault !== undefined) return { fault }
    // Positions in messages would be looked up from the start for every fault.
    const options = { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const
    const [document] = new Composer(options).compose(tokens, true, text.length)
    if (document.errors.length > 0) return { fault: document.errors[0].message.split('\n')[0] }
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value } : {}
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

/** Why this is not even put together. Looks at tokens without recursion. */
function refuse(tokens: readonly CST.Token[]): string | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }))
  for (let count = 0, next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > depthLimit) return `it is nested more than ${depthLimit} deep`
    if (++count > signsLimit) return `its YAML has more than ${signsLimit} signs`
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { start, key, sep, value } of token.items) {
      count += start.length + (sep?.length ?? 0)
      if (key) open.push({ token: key, depth: depth + 1 })
      if (value) open.push({ token: value, depth: depth + 1 })
    }
  }
  return undefined
}
