import { createRequire } from 'node:module'

/** The SQLite that Notewright uses: Node's own where it has one. */
export const { DatabaseSync } =
  process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite')
