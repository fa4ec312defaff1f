import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** In a bundle this is libsql's own code, put here by `scripts/own-libsql.mjs`: found and compiled at once. */
export function loadLibsql(): unknown {
  return require('libsql')
}
