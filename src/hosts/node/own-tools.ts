import { existsSync, type Stats, statSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import * as nodeModule from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isRecord } from '../../core/is-record.js'
import type { Registry, Tool } from '../../core/tools/index.js'
import { hashBytes } from '../../core/vault/index.js'
import { type ApprovedPrograms, notApproved, type ProgramStart } from './approved-programs.js'
import { isInsideVault } from './keys.js'

/** Tools written by the user: modules in a folder next to their settings, outside of every vault. */
interface OwnTools {
  /** Updates a registry from the folder. Returns one sentence for each rejected module. */
  refresh(registry: Registry): Promise<string[]>
}

interface LoadedModule {
  /** Hash of the file when it was loaded. */
  stamp: string
  trouble?: string | undefined
}

const othersWrite = 0o022

export function ownTools(folder: string, programs: ApprovedPrograms, vault?: string): OwnTools {
  const loaded = new Map<string, LoadedModule>()
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
      const program = await moduleProgram(path)
      const isApproved = await programs.isApproved(program)
      // Not cached: it is loaded as soon as it is approved.
      if (!isApproved) loaded.set(path, { stamp: '', trouble: whyNotLoaded(program) })
      else loaded.set(path, { stamp, trouble: await registerTools(path, stamp, found, registry) })
    }
    return [trouble, ...[...loaded.values()].map((each) => each.trouble)].filter((text) => text !== undefined)
  }

  return {
    refresh(registry) {
      // Sessions of one vault share its registry.
      const next = last.then(() => refresh(registry))
      // The caller gets the failure through `next`; the queue continues.
      last = next.catch(() => undefined)
      return next
    },
  }
}

/** A module as it would be loaded: its code is the command, so that a changed file needs approval again. */
async function moduleProgram(path: string): Promise<ProgramStart> {
  const content = hashBytes(await readFile(path))
  return { id: `tool:${basename(path)}`, argv: [path], cwd: dirname(path), env: {}, content }
}

function whyNotLoaded(program: ProgramStart): string {
  const { message, details } = notApproved(program)
  return `${message} ${details.hint}`
}

/** The modules in the folder that could be loaded, as the user approves them. */
export async function modulePrograms(folder: string, vault?: string): Promise<ProgramStart[]> {
  const { files } = await modulesIn(folder, vault)
  return Promise.all([...files.keys()].map(moduleProgram))
}

/** Returns the problem with a module, none of whose tools is then registered. */
async function registerTools(
  path: string,
  stamp: string,
  found: Stats,
  registry: Registry,
): Promise<string | undefined> {
  try {
    if (canOthersWrite(found))
      throw new Error(`other users of this computer can change it; to fix: chmod go-w '${path}'`)
    registry.registerAll(await loadModule(path, stamp), `custom:${path}`)
    return undefined
  } catch (error) {
    return `Your tool ${path} was skipped: ${(error as Error).message}`
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
    return { files, trouble: `${folder} can be changed by other users of this computer, so its tools are not used.` }
  }
  if (await isInsideVault(folder, vault)) {
    return { files, trouble: `${folder} is inside a vault, so its tools are not used.` }
  }
  for (const name of names) {
    const path = join(folder, name)
    // A file that was removed meanwhile is no module.
    const file = await lstat(path).catch(() => undefined)
    if (file?.isFile()) files.set(path, file)
  }
  return { files }
}

const canOthersWrite = ({ mode }: Stats): boolean => process.platform !== 'win32' && (mode & othersWrite) !== 0

/** How long a module may take to be loaded. */
const loadTimeoutMs = 5000

/** The exported tools of a module, under any name. The stamp makes Node read a changed file again. */
async function loadModule(path: string, stamp: string): Promise<Tool[]> {
  registerLibraryResolver()
  const module = await withTimeout(import(`${pathToFileURL(path).href}?${stamp}`))
  const tools = [...new Set(Object.values(module).flat())].filter(isRecord)
  if (tools.length === 0) throw new Error('it exports no tool (export default defineTool({ … }))')
  return tools.map(checkModule)
}

/** Regardless of its own metadata, it is registered as a custom tool that is off by default. */
function checkModule(tool: Record<string, unknown>): Tool {
  const texts = ['name', 'title', 'description', 'activity'].filter((field) => typeof tool[field] !== 'string')
  if (texts.length > 0) throw new Error(`a tool needs ${texts.join(', ')} as text`)
  if (!Array.isArray(tool.effects)) throw new Error(`${tool.name} needs effects, a list; [] for none`)
  if (!isRecord(tool.input)) throw new Error(`${tool.name} needs input, a schema`)
  if (typeof tool.render !== 'function') throw new Error(`${tool.name} needs render, which returns the result as text`)
  if ((typeof tool.run === 'function') === (typeof tool.plan === 'function')) {
    throw new Error(`${tool.name} needs either run or plan`)
  }
  return { ...(tool as unknown as Tool), category: 'custom', offByDefault: true, alwaysOn: false }
}

async function withTimeout(loading: Promise<Record<string, unknown>>): Promise<Record<string, unknown>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not finish loading')), loadTimeoutMs)
  })
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}

type Resolve = (specifier: string, context: object, next: (specifier: string, context: object) => unknown) => unknown
/** Newer versions of Node do it in this thread. */
interface WithHooks {
  registerHooks?(hooks: { resolve: Resolve }): void
}

let isResolverRegistered = false

/** `import … from 'notewright'` resolves to this program, wherever the module is. */
function registerLibraryResolver(): void {
  if (isResolverRegistered) return
  isResolverRegistered = true
  const url = ['./library.js', '../library.js']
    .map((place) => new URL(place, import.meta.url))
    .find((place) => existsSync(fileURLToPath(place)))?.href
  // There is no bundle when run from source; then the package in node_modules is used.
  if (url === undefined) return
  const { registerHooks } = nodeModule as WithHooks
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'notewright' ? { url, shortCircuit: true } : next(specifier, context),
    })
    return
  }
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === 'notewright' ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context)`
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hook)}`)
}
