import type { ThreadPort } from '../../core/vault-index/index.js'

export { NotewrightPlugin as default } from './plugin.js'

/** What this file is called for where it is run as a worker. */
export async function startIndexing(port: ThreadPort, index: string): Promise<void> {
  // Just this: a worker needs none of the rest, and some of it none of a worker.
  const worker = await import('../../hosts/obsidian/index-worker.js')
  worker.startIndexing(port, index)
}
