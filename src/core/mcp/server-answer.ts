import type { ContentBlock } from '@modelcontextprotocol/client'

/** What a call of a server's tool gave back: its words, and its data where it sent some. */
export interface ServerAnswer {
  text: string
  structuredContent?: unknown
}

const mostCharacters = 200_000

/** The text of an answer. What is not text is named: nothing is followed, loaded or shown. */
export function textOf(content: readonly ContentBlock[], structured: unknown): string {
  const parts = content.map(partText).filter((part) => part !== '')
  if (parts.length === 0 && structured !== undefined) parts.push(JSON.stringify(structured))
  const text = parts.join('\n\n')
  if (text.length <= mostCharacters) return text === '' ? 'Done, without an answer.' : text
  return `${text.slice(0, mostCharacters)}\n\n… (cut; ${text.length.toLocaleString('en')} characters in all)`
}

function partText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${byteCount(block.data)} bytes, not shown]`
    case 'resource_link':
      return `[resource, not opened: ${block.uri}]`
    case 'resource':
      return 'text' in block.resource
        ? `[resource ${block.resource.uri}]\n${block.resource.text}`
        : `[resource ${block.resource.uri}, ${byteCount(block.resource.blob)} bytes, not shown]`
    default:
      block satisfies never
      return '[something of a kind that is not known]'
  }
}

const byteCount = (base64: string): string => Math.floor((base64.length * 3) / 4).toLocaleString('en')
