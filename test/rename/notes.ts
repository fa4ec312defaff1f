import { type FileNames, fileNames } from '../../src/core/index/links/file-names.js'
import { type MovePlan, planMove } from '../../src/core/index/links/plan-move.js'
import { formOf, resolvedLinks, resolveLink } from '../../src/core/index/links/resolve-link.js'
import { type NoteLink, scanNote } from '../../src/core/markdown/index.js'
import {
  type LinkSettings,
  type MemoryVault,
  memoryVault,
  type NotePath,
  notePath,
} from '../../src/core/vault/index.js'

export interface Notes {
  vault: MemoryVault
  read(path: string): Promise<string | undefined>
  plan(from: string, to: string): Promise<MovePlan>
  /** Plans, applies, and answers the plan. */
  move(from: string, to: string): Promise<MovePlan>
  names(): Promise<FileNames>
  /** Every link of every note, with where it leads. */
  links(): Promise<Map<NotePath, ResolvedLink[]>>
  /** Paths that planning has read. */
  readonly reads: string[]
}

export interface ResolvedLink extends NoteLink {
  leadsTo: NotePath | null
}

/** A vault in memory whose links are indexed afresh for every question. One of Obsidian's, unless told. */
export function notes(
  files: Record<string, string | Uint8Array>,
  settings: LinkSettings = { reading: 'obsidian' },
): Notes {
  const vault = memoryVault({ files })
  const reads: string[] = []

  const names = async () =>
    fileNames(
      (await vault.files()).map(({ path }) => path),
      settings.reading,
    )
  const plan = async (from: string, to: string): Promise<MovePlan> => {
    const today = await names()
    const stored = (await scanAll(vault)).flatMap(({ path, links }) => resolvedLinks(today, path, links))
    return planMove({
      from,
      to,
      names: today,
      settings,
      store: {
        linksByKey: async (keys) => stored.filter(({ key }) => keys.includes(key)),
      },
      read(path) {
        reads.push(path)
        return vault.read(path)
      },
    })
  }

  return {
    vault,
    reads,
    names,
    plan,
    read: async (path) => (await vault.read(notePath(path)))?.text,
    async move(from, to) {
      const made = await plan(from, to)
      await vault.apply(made.changeSet)
      return made
    },
    async links() {
      const today = await names()
      const scanned = await scanAll(vault)
      return new Map(
        scanned.map(({ path, links }) => [
          path,
          links
            .filter(({ kind }) => kind !== 'external')
            .map((link) => ({ ...link, leadsTo: resolveLink(today, path, link.target, formOf(link.raw)) })),
        ]),
      )
    },
  }
}

async function scanAll(vault: MemoryVault): Promise<{ path: NotePath; links: NoteLink[] }[]> {
  const scanned: { path: NotePath; links: NoteLink[] }[] = []
  for (const { path } of await vault.files()) {
    if (!path.endsWith('.md')) continue
    const file = await vault.read(path)
    if (file !== undefined) scanned.push({ path, links: scanNote(file.text).links })
  }
  return scanned
}
