/** The part of a DOM node that reading needs. */
export interface PageNode {
  nodeType: number
  nodeName: string
  textContent: string | null
  childNodes: Iterable<PageNode>
}

interface PageElement extends PageNode {
  getAttribute(name: string): string | null
}

const blockElement =
  /^(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/

const maxIndents = 8

/** Writes paragraphs, headings, lists, quotes, code, tables and links; no pictures. */
export function lightMarkdown(root: PageNode, baseUrl: string): string {
  const blockInside = new Map<PageNode, boolean>()
  let indents = 0

  function isBlock(node: PageNode): boolean {
    if (node.nodeType !== 1 || nameOf(node) === 'a') return false
    const cached = blockInside.get(node)
    if (cached !== undefined) return cached
    const result = blockElement.test(nameOf(node)) || [...node.childNodes].some(isBlock)
    blockInside.set(node, result)
    return result
  }

  function blocksIn(parent: PageNode): string[] {
    const blocks: string[] = []
    let run = ''
    const endRun = () => {
      const paragraph = trimLines(run)
      if (paragraph !== '') blocks.push(paragraph)
      run = ''
    }
    for (const child of parent.childNodes) {
      if (!isBlock(child)) run += inline(child)
      else {
        endRun()
        blocks.push(...blocksOf(child as PageElement))
      }
    }
    endRun()
    return blocks
  }

  function blocksOf(element: PageElement): string[] {
    const name = nameOf(element)
    if (/^h[1-6]$/.test(name)) {
      const words = oneLine(inlineIn(element))
      return words === '' ? [] : [`${'#'.repeat(Number(name[1]))} ${words}`]
    }
    if (name === 'ul' || name === 'ol') return indented(element, () => list(element, name === 'ol'))
    if (name === 'pre') return codeBlock(element)
    if (name === 'hr') return ['---']
    if (name === 'blockquote') return indented(element, () => blockQuote(blocksIn(element)))
    if (name === 'table') return table(element)
    return blocksIn(element)
  }

  /** Deeply nested lists and quotes are written without their marks, which would outgrow the text. */
  function indented(element: PageElement, write: () => string[]): string[] {
    if (indents >= maxIndents) return blocksIn(element)
    indents++
    const blocks = write()
    indents--
    return blocks
  }

  function list(element: PageElement, numbered: boolean): string[] {
    let number = Number(element.getAttribute('start') ?? 1) || 1
    const items: string[] = []
    for (const child of element.childNodes) {
      const blocks = nameOf(child) === 'li' ? blocksIn(child) : isBlock(child) ? blocksOf(child as PageElement) : []
      if (blocks.length === 0) continue
      const marker = numbered ? `${number++}. ` : '- '
      const indent = ' '.repeat(marker.length)
      items.push(marker + blocks.join('\n').replaceAll('\n', `\n${indent}`))
    }
    return items.length === 0 ? [] : [items.join('\n')]
  }

  /** A data table becomes a table; a layout table does not. */
  function table(element: PageElement): string[] {
    const rows = rowsIn(element).map((row) => [...row.childNodes].filter((cell) => /^t[dh]$/.test(nameOf(cell))))
    const isData = rows.some((row) => row.length > 1) && !rows.flat().some((cell) => containsElement(cell, 'table'))
    if (!isData) return blocksIn(element)
    const lines = rows.map(
      (row) => `| ${row.map((cell) => oneLine(inlineIn(cell)).replaceAll('|', '\\|')).join(' | ')} |`,
    )
    lines.splice(1, 0, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`)
    return [lines.join('\n')]
  }

  function inlineIn(parent: PageNode): string {
    let text = ''
    for (const child of parent.childNodes) text += isBlock(child) ? ` ${inlineIn(child)} ` : inline(child)
    return text
  }

  function inline(node: PageNode): string {
    if (node.nodeType === 3) return joinBlanks(node.textContent ?? '')
    if (node.nodeType !== 1) return ''
    const name = nameOf(node)
    if (name === 'br') return '\n'
    if (name === 'title') return ''
    if (name === 'code' || name === 'kbd' || name === 'samp') {
      const text = oneLine(node.textContent ?? '')
      return text === '' || text.includes('`') ? text : `\`${text}\``
    }
    return name === 'a' ? link(node as PageElement) : inlineIn(node)
  }

  function link(element: PageElement): string {
    const inside = inlineIn(element)
    const words = oneLine(inside)
    const address = webAddress(element.getAttribute('href'), baseUrl)
    if (words === '' || address === undefined) return inside
    return words === address ? address : `[${words.replace(/[[\]]/g, '\\$&')}](${address})`
  }

  return blocksIn(root).join('\n\n')
}

function webAddress(href: string | null, baseUrl: string): string | undefined {
  if (href === null || href.trim() === '' || href.trim().startsWith('#') || !URL.canParse(href, baseUrl))
    return undefined
  const url = new URL(href, baseUrl)
  return url.protocol === 'http:' || url.protocol === 'https:'
    ? url.href.replaceAll('(', '%28').replaceAll(')', '%29')
    : undefined
}

function codeBlock(element: PageElement): string[] {
  const text = (element.textContent ?? '').replace(/^\n/, '').trimEnd()
  if (text === '') return []
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(Math.min(longest, 20) + 1)
  return [`${fence}\n${text}\n${fence}`]
}

function blockQuote(blocks: string[]): string[] {
  if (blocks.length === 0) return []
  return [blocks.join('\n\n').replace(/^/gm, '> ').replace(/> $/gm, '>')]
}

function rowsIn(table: PageNode): PageNode[] {
  return [...table.childNodes].flatMap((child) => {
    const name = nameOf(child)
    if (name === 'tr') return [child]
    return /^t(?:head|body|foot)$/.test(name) ? rowsIn(child) : []
  })
}

function containsElement(node: PageNode, name: string): boolean {
  return [...node.childNodes].some((child) => nameOf(child) === name || containsElement(child, name))
}

function nameOf(node: PageNode): string {
  return node.nodeName.toLowerCase()
}

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function oneLine(text: string): string {
  return joinBlanks(text).trim()
}

/** In two steps with a limited number of repeats, because one match of millions of blanks can exhaust the stack. */
function joinBlanks(text: string): string {
  return text.replace(/\s{2,1000}/g, ' ').replace(/\s{1,10000}/g, ' ')
}
