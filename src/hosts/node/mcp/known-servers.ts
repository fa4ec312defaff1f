import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../core/is-record.js'
import type { SeenTools, ServerTool, TrustedServer } from '../../../core/mcp/index.js'
import { nodeFiles } from '../files/index.js'
import { withLock } from '../lock/index.js'
import { privateFolder } from '../state/index.js'

/** What the person has looked at and agreed to, outside of every vault. */
export interface KnownServers {
  seen: SeenTools
  /** The entries of that vault's file that were trusted, as they were then. */
  trusted(vault: string): Promise<TrustedServer[]>
  trust(vault: string, server: string, hash: string): Promise<void>
}

interface Kept {
  seen: { server: string; tool: ServerTool }[]
  trusted: (TrustedServer & { vault: string })[]
}

export function knownServers(state: string): KnownServers {
  const folder = join(state, 'mcp')
  const file = join(folder, 'known.json')

  async function change(edit: (kept: Kept) => Kept): Promise<void> {
    await privateFolder(folder)
    await withLock(nodeFiles, folder, { subject: 'The list of known servers', waitMs: 10_000 }, async () => {
      const draft = `${file}.${randomUUID()}`
      try {
        const kept = { version: 1, ...edit(await read(file)) }
        await writeFile(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
        await rename(draft, file)
      } finally {
        await rm(draft, { force: true })
      }
    })
  }

  return {
    seen: {
      async of(server) {
        const { seen } = await read(file)
        return new Map(seen.flatMap((each) => (each.server === server ? [[each.tool.name, each.tool]] : [])))
      },
      add: (server, tools) =>
        change(({ seen, trusted }) => {
          const isNew = (name: string) => tools.some((tool) => tool.name === name)
          const others = seen.filter((each) => each.server !== server || !isNew(each.tool.name))
          return { seen: [...others, ...tools.map((tool) => ({ server, tool }))], trusted }
        }),
    },
    async trusted(vault) {
      const { trusted } = await read(file)
      return trusted.filter((each) => each.vault === vault)
    },
    trust: (vault, server, hash) =>
      change(({ seen, trusted }) => {
        const others = trusted.filter((each) => each.vault !== vault || each.server !== server)
        return { seen, trusted: [...others, { vault, server, hash }] }
      }),
  }
}

/** What is missing or spoilt has seen and trusted nothing. */
async function read(file: string): Promise<Kept> {
  try {
    const tree: unknown = JSON.parse(await readFile(file, 'utf8'))
    const list = (name: string) => (isRecord(tree) && Array.isArray(tree[name]) ? tree[name].filter(isRecord) : [])
    const seen = list('seen').filter(({ server, tool }) => typeof server === 'string' && isRecord(tool))
    return { seen: seen as unknown as Kept['seen'], trusted: list('trusted') as unknown as Kept['trusted'] }
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return { seen: [], trusted: [] }
    throw error
  }
}
