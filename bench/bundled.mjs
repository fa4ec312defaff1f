import { loadBundle } from '../scripts/bundle.mjs'

/** Loads modules of the product straight from their source, for measures that no command of ours prints. */
export const bundled = (...entries) =>
  loadBundle({ source: entries.map((entry) => `export * from ${JSON.stringify(`./${entry}`)}`).join('\n') })
