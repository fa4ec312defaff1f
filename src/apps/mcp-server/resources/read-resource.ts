import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { type Calling, callTool } from '../tools/call-tool.js'
import { noteUri, readNoteUri } from './note-uri.js'

/** A note as a resource: read as the tool reads it, under the same policy. Long ones come in parts. */
export async function readResource(uri: string, calling: Calling): Promise<ReadResourceResult | InputRequiredResult> {
  const address = readNoteUri(uri)
  if (address === undefined) throw new ResourceNotFoundError(uri)
  const { vaults } = calling.setup
  const { vault, path, part = 1 } = address
  const input = { path, part, ...(vaults.names.length > 1 && vault !== undefined && { vault }) }
  const outcome = await callTool({ name: 'read_note', input }, calling)
  if ('asks' in outcome) return outcome.asks
  const result = outcome.done
  if (!result.ok) {
    if (['not-found', 'path', 'ambiguous'].includes(result.code)) throw new ResourceNotFoundError(uri)
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, result.text, { code: result.code })
  }
  const read = result.output as { path: string; content: string; part: number; parts: number }
  const rest = read.part < read.parts && noteUri({ vault, path: read.path, part: read.part + 1 }, vaults)
  const text = rest ? `${read.content}\n[Part ${read.part} of ${read.parts}; the next is ${rest}]` : read.content
  return { contents: [{ uri, mimeType: path.endsWith('.canvas') ? 'application/json' : 'text/markdown', text }] }
}
