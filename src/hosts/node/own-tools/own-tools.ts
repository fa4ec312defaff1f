import { type Stats, statSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Registry } from '../../../core/tools/index.js'
import { isInsideVault } from '../keys/index.js'
import { loadModule } from './load-module.js'

/** Tools that the person wrote: modules in a folder beside their settings, outside of every vault. */
export interface OwnTools {
  /** Brings a registry up to date with the folder. Answers what is wrong, a sentence for each module that is left out. */
  refresh(registry: Registry): Promise<string[]>
}

interface Loaded {
  /** Of the file as it was when it was loaded. */
  stamp: string
  trouble?: string
}

const othersWrite = 0o022

export function ownTools(folder: string, vault?: string): OwnTools {
  const loaded = new Map<string, Loaded>()
  let last: Promise<unknown> = Promise.resolve()

  async function refresh(registry: Registry): Promise<string[]> {
    const { files, trouble } = await modulesIn(folder, vault)
    for (const path of loaded.keys()) {
      if (files.has(path)) continue
      registry.unregister(`custom:${path}`)
      loaded.delete(path)
    }
    for (const [path, found] of files) {
      const stamp = `${found.mtimeMs}-${found.size}-${found.ino}`
      if (loaded.get(path)?.stamp === stamp) continue
      registry.unregister(`custom:${path}`)
      loaded.set(path, { stamp, trouble: await takeUp(path, stamp, found, registry) })
    }
    return [trouble, ...[...loaded.values()].map((each) => each.trouble)].filter((text) => text !== undefined)
  }

  return {
    refresh(registry) {
      // Sessions of one vault share its registry.
      const next = last.then(() => refresh(registry))
      last = next.catch(() => undefined)
      return next
    },
  }
}

/** Answers what is wrong with it; then none of its tools is there. */
async function takeUp(path: string, stamp: string, found: Stats, registry: Registry): Promise<string | undefined> {
  try {
    if (canOthersWrite(found)) throw new Error(`others on this machine can change it: chmod go-w '${path}'`)
    registry.registerAll(await loadModule(path, stamp), `custom:${path}`)
    return undefined
  } catch (error) {
    return `Your tool ${path} was left out: ${(error as Error).message}`
  }
}

async function modulesIn(
  folder: string,
  vault: string | undefined,
): Promise<{ files: Map<string, Stats>; trouble?: string }> {
  const files = new Map<string, Stats>()
  // Most people have none, and this is looked up with every call: a promise that fails costs as much as a search.
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return { files }
  const names = (await readdir(folder)).filter((name) => /\.m?js$/.test(name)).sort()
  if (names.length === 0) return { files }
  if (canOthersWrite(found)) {
    return { files, trouble: `${folder} can be changed by others on this machine, so no tool of it is used.` }
  }
  if (await isInsideVault(folder, vault)) {
    return { files, trouble: `${folder} lies in a vault, so no tool of it is used.` }
  }
  for (const name of names) {
    const path = join(folder, name)
    const file = await lstat(path).catch(() => undefined)
    if (file?.isFile()) files.set(path, file)
  }
  return { files }
}

const canOthersWrite = ({ mode }: Stats): boolean => process.platform !== 'win32' && (mode & othersWrite) !== 0
