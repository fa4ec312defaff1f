import type {
  CompleteRequestParams,
  CompleteResult,
  InputRequiredResult,
  ListResourcesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { StoredNote } from '../../core/index/index.js'
import type { CallContext } from './call-tool.js'
import { callTool } from './call-tool.js'
import type { Client, ClientSession } from './clients.js'
import type { McpSetup, ServedVaults } from './setup.js'

const pageSize = 100

/** A page starts after this note of this vault. */
interface ListPosition {
  vault: number
  after: string
}

/** Lists the notes that a client may know of in pages, one vault after the other. */
export async function listNotes(
  { vaults: { names } }: Pick<McpSetup, 'vaults'>,
  client: Client,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const position = readCursor(cursor, names.length)
  const vault = names[position.vault] ?? names[0]
  const all = (await visibleNotes(await client.sessionOn(vault))).filter(({ path }) => path > position.after)
  const page = all.slice(0, pageSize)
  const resources = page.map(({ path, title }) => ({
    uri: noteUri({ vault, path }, { names }),
    name: path.slice(path.lastIndexOf('/') + 1),
    title,
    mimeType: 'text/markdown',
  }))
  const last = page.length < all.length ? page.at(-1)?.path : undefined
  const next = nextPosition(position, last, names.length)
  return { resources, ...(next && { nextCursor: writeCursor(next) }) }
}

/** The notes sorted by path. None if every call needs approval: a list would reveal them without one. */
export async function visibleNotes({ session }: ClientSession): Promise<StoredNote[]> {
  if (session.guard.level === 'ask-all') return []
  const { context, guard } = await session.toolSetup()
  guard.observe(['own-note'])
  return (await guard.filterVisible(context).index.notes()).sort((a, b) => (a.path < b.path ? -1 : 1))
}

function nextPosition({ vault }: ListPosition, last: string | undefined, vaults: number): ListPosition | undefined {
  if (last !== undefined) return { vault, after: last }
  return vault + 1 < vaults ? { vault: vault + 1, after: '' } : undefined
}

const writeCursor = ({ vault, after }: ListPosition): string =>
  Buffer.from(JSON.stringify([vault, after])).toString('base64url')

function readCursor(cursor: string | undefined, vaults: number): ListPosition {
  if (cursor === undefined) return { vault: 0, after: '' }
  try {
    const [vault, after] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Number.isInteger(vault) && vault >= 0 && vault < vaults && typeof after === 'string') return { vault, after }
  } catch {
    // Reported below.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not valid.')
}

/** Reads a note with read_note, under the same policy. Long notes come in parts. */
export async function readResource(
  uri: string,
  callContext: CallContext,
): Promise<ReadResourceResult | InputRequiredResult> {
  const address = readNoteUri(uri)
  if (address === undefined) throw new ResourceNotFoundError(uri)
  const { vaults } = callContext.setup
  const { vault, path, part = 1 } = address
  const input = { path, part, ...(vaults.names.length > 1 && vault !== undefined && { vault }) }
  const outcome = await callTool({ name: 'read_note', input }, callContext)
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

const maxCompletions = 100

/** Completes paths, tags and vaults: first those that start with the typed text, then those that contain it. */
export async function complete(
  { ref, argument, context }: CompleteRequestParams,
  { vaults }: Pick<McpSetup, 'vaults'>,
  client: Client,
): Promise<CompleteResult> {
  const typed = argument.value.toLowerCase()
  const choices = await choicesFor(argument.name, ref.type === 'ref/resource' ? context?.arguments?.vault : undefined)
  const folded = choices.map((choice) => ({ choice, text: choice.toLowerCase() }))
  const starting = folded.filter(({ text }) => text.startsWith(typed))
  const containing = folded.filter(({ text }) => !text.startsWith(typed) && text.includes(typed))
  const found = [...starting, ...containing].map(({ choice }) => choice)
  return {
    completion: { values: found.slice(0, maxCompletions), total: found.length, hasMore: found.length > maxCompletions },
  }

  async function choicesFor(name: string, vault: string | undefined): Promise<string[]> {
    if (name === 'vault') return [...vaults.names]
    if (name !== 'path' && name !== 'tag') return []
    const session = await client.sessionOn(vault)
    if (name === 'path') return (await visibleNotes(session)).map(({ path }) => path)
    if (session.session.guard.level === 'ask-all') return []
    const { context: tools, guard } = await session.session.toolSetup()
    return (await guard.filterVisible(tools).index.tags()).map(({ tag }) => tag)
  }
}

/** A note URI: `note:///Garden/Tomatoes.md`, or `note://VAULT/Garden/Tomatoes.md` with several vaults. */
interface NoteAddress {
  /** Absent for the default vault. */
  vault?: string | undefined
  path: string
  /** The part of a long note, from 1. */
  part?: number
}

export function noteUri({ vault, path, part }: NoteAddress, { names }: Pick<ServedVaults, 'names'>): string {
  const host = names.length < 2 ? '' : encodeURIComponent(vault ?? names[0])
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return `note://${host}/${encoded}${part === undefined || part === 1 ? '' : `?part=${part}`}`
}

/** Parses a note URI; undefined if it is none. The note itself may not exist. */
export function readNoteUri(uri: string): NoteAddress | undefined {
  const match = /^note:\/\/([^/?#]*)\/([^?]+)(?:\?part=(\d{1,6}))?$/s.exec(uri)
  if (match === null) return undefined
  const [, host = '', inside = '', part] = match
  const [vault, path] = [decodeIfEncoded(host), decodeIfEncoded(inside)]
  return { ...(vault !== '' && { vault }), path, ...(part !== undefined && { part: Number(part) }) }
}

/** Text with an invalid % sequence stays as it is: names may contain %. */
function decodeIfEncoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
