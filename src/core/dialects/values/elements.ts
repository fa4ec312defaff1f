const tagName = /<([A-Za-z_][\w.-]{0,100})>/y

/** The elements a text consists of, when it consists of elements alone. Elements of the same name nest. */
export function childElements(text: string): [name: string, content: string][] | undefined {
  const elements: [string, string][] = []
  let at = spaceEnd(text, 0)
  while (at < text.length) {
    tagName.lastIndex = at
    const opened = tagName.exec(text)
    if (!opened) return undefined
    const start = at + opened[0].length
    const end = closingTag(text, opened[1], start)
    if (end === -1) return undefined
    elements.push([opened[1], text.slice(start, end)])
    at = spaceEnd(text, end + opened[1].length + 3)
  }
  return elements.length === 0 ? undefined : elements
}

function spaceEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at])) at++
  return at
}

function closingTag(text: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name.replaceAll('.', '\\.')}>`, 'g')
  tags.lastIndex = from
  let depth = 1
  for (let found = tags.exec(text); found; found = tags.exec(text)) {
    depth += found[1] === '' ? 1 : -1
    if (depth === 0) return found.index
  }
  return -1
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The five entities of XML, once. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name]) : text
}
