import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the bundle keeps a thread's file: beside this one or one folder up. Run from source there is none. */
export function threadFile(name: string): URL | undefined {
  const places = [`./${name}.mjs`, `../${name}.mjs`].map((place) => new URL(place, import.meta.url))
  return places.find((place) => existsSync(fileURLToPath(place)))
}

/**
 * Room for short-lived objects. Who reads notes makes many: with half of this it spends a twentieth more time, with
 * twice as much a large vault needs 20 MB more. Who writes them makes few.
 */
export const readerLimits = { maxYoungGenerationSizeMb: 24 }
export const writerLimits = { maxYoungGenerationSizeMb: 12 }

/** A thread says by itself that Node's own SQLite may change; see `apps/cli/main.ts`. */
export const threadArguments = ['--disable-warning=ExperimentalWarning']
