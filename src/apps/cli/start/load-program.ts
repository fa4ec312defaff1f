import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { type CompiledFiles, codeCacheFile, fingerprint, readCompiled, writeCompiled } from './code-cache.js'

export interface LoadedProgram<T> {
  exports: T
  /** Remembers what was compiled, when there is something new, for the next start. */
  remember(): void
}

interface LoadedFile {
  exports: unknown
  key: string
  script: Script
}

type Wrapper = (exports: object, require: (name: string) => unknown, module: { exports: unknown }, file: string) => void

/** More than all of our files take: the rest is of other versions. */
const mostBytes = 8 << 20

/**
 * Loads a bundled file and whatever it asks for, as Node does, but with the code that V8 compiled the last time:
 * compiling takes a fifth of the time in which a search answers. Node does this by itself from version 22 on.
 */
export function loadProgram<T>(entry: string, cacheFolder: string): LoadedProgram<T> {
  const cacheFile = codeCacheFile(cacheFolder)
  const compiled = readCompiled(cacheFile)
  const loaded = new Map<string, LoadedFile>()
  const nodeRequire = createRequire(entry)
  let hasNew = false

  function load(file: string): unknown {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    // Bundles are plain ASCII.
    const source = readFileSync(file, 'latin1')
    const key = fingerprint(source)
    const cachedData = compiled.get(key)
    const script = new Script(`(function(exports,require,module,__filename){${source}\n})`, {
      filename: file,
      cachedData,
    })
    if (cachedData === undefined || script.cachedDataRejected) hasNew = true
    const module: LoadedFile = { exports: {}, key, script }
    loaded.set(file, module)
    const wrapper = script.runInThisContext() as Wrapper
    wrapper(module.exports as object, requireFrom(dirname(file)), module, file)
    return module.exports
  }

  const requireFrom = (folder: string) => (name: string) => {
    if (name.startsWith('.')) return load(join(folder, name))
    return rarelyUsed.test(name) ? whenUsed(() => nodeRequire(name)) : nodeRequire(name)
  }

  return {
    exports: load(entry) as T,
    remember() {
      if (!hasNew) return
      const files: CompiledFiles = new Map(bytesOf(compiled) > mostBytes ? [] : compiled)
      for (const { key, script } of loaded.values()) files.set(key, script.createCachedData())
      writeCompiled(cacheFile, files)
    },
  }
}

/** Modules of Node itself that take milliseconds to load, and that most commands need for nothing. */
const rarelyUsed = /^(node:)?(child_process|crypto|fs\/promises|readline|worker_threads)$/

/** Stands for what `load` answers, and calls it when someone looks. */
function whenUsed(load: () => object): object {
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(load(), name),
      has: (_, name) => Reflect.has(load(), name),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor(_, name) {
        const found = Reflect.getOwnPropertyDescriptor(load(), name)
        return found && { ...found, configurable: true }
      },
    },
  )
}

const bytesOf = (files: CompiledFiles): number => [...files.values()].reduce((sum, { length }) => sum + length, 0)
