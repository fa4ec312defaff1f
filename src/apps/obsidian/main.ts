import type { ThreadPort } from '../../core/index/index.js'

export { NotewrightPlugin as default } from './plugin.js'

/** Entry point when this file runs as a worker. */
export async function startIndexing(port: ThreadPort, index: string): Promise<void> {
  // Only the worker's module: the rest is not needed, and partly unavailable, in a worker.
  const worker = await import('../../hosts/obsidian/index-worker.js')
  worker.startIndexing(port, index)
}
