import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the bundle keeps a thread's file: beside this one or one folder up. Run from source there is none. */
export function threadFile(name: string): URL | undefined {
  const places = [`./${name}.mjs`, `../${name}.mjs`].map((place) => new URL(place, import.meta.url))
  return places.find((place) => existsSync(fileURLToPath(place)))
}

/** Short-lived objects are collected a little more often, and three threads fit where two did. */
export const threadLimits = { maxYoungGenerationSizeMb: 12 }
