import { type CST, Parser } from 'yaml'

/** Whether collections are nested deeper than this. Looks at tokens without recursion, so no text can use up the stack. */
export function nestsDeeper(source: string, limit: number): boolean {
  const open = [...new Parser().parse(source)].map((token: CST.Token) => ({ token, depth: 0 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > limit) return true
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth: depth + 1 })
      if (value) open.push({ token: value, depth: depth + 1 })
    }
  }
  return false
}
