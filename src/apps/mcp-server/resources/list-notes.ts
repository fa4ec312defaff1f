import { type ListResourcesResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { StoredNote } from '../../../core/vault-index/index.js'
import type { Client, ClientSession } from '../clients/client.js'
import type { McpSetup } from '../setup.js'
import { noteUri } from './note-uri.js'

const pageSize = 100

/** Where a page begins: behind this note of this vault. */
interface Place {
  vault: number
  after: string
}

/** The notes that a client may know of, a page at a time, one vault after the other. */
export async function listNotes(
  { vaults: { names } }: Pick<McpSetup, 'vaults'>,
  client: Client,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const place = readCursor(cursor, names.length)
  const vault = names[place.vault]
  const all = (await visibleNotes(await client.on(vault))).filter(({ path }) => path > place.after)
  const page = all.slice(0, pageSize)
  const resources = page.map(({ path, title }) => ({
    uri: noteUri({ vault, path }, { names }),
    name: path.slice(path.lastIndexOf('/') + 1),
    title,
    mimeType: 'text/markdown',
  }))
  const next = nextPlace(place, page.length < all.length ? page[page.length - 1].path : undefined, names.length)
  return { resources, ...(next && { nextCursor: writeCursor(next) }) }
}

/** By path. Where every call is to be asked about, nothing is told beforehand. */
export async function visibleNotes({ session }: ClientSession): Promise<StoredNote[]> {
  if (session.guard.level === 'ask-all') return []
  const { context, guard } = await session.toolSetup()
  guard.observe(['own-note'])
  return (await guard.screen(context).index.notes()).sort((a, b) => (a.path < b.path ? -1 : 1))
}

function nextPlace({ vault }: Place, last: string | undefined, vaults: number): Place | undefined {
  if (last !== undefined) return { vault, after: last }
  return vault + 1 < vaults ? { vault: vault + 1, after: '' } : undefined
}

const writeCursor = ({ vault, after }: Place): string =>
  Buffer.from(JSON.stringify([vault, after])).toString('base64url')

function readCursor(cursor: string | undefined, vaults: number): Place {
  if (cursor === undefined) return { vault: 0, after: '' }
  try {
    const [vault, after] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Number.isInteger(vault) && vault >= 0 && vault < vaults && typeof after === 'string') return { vault, after }
  } catch {
    // Told below.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of this server.')
}
