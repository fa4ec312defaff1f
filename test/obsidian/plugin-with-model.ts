import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import type { Script } from '../e2e/model-server.js'
import type { Check } from '../security/security-case.js'
import { type ModelFront, modelFront } from './model-front.js'
import { openPlugin, type PluginOptions, type PluginPage, removeRelease } from './plugin-page.js'

let opening: Promise<Browser> | undefined

export async function closeAll(): Promise<void> {
  if (opening !== undefined) await (await opening).close()
  await removeRelease()
}

export interface WithPlugin extends PluginOptions {
  /** Settings of the agent besides those that lead to the model. */
  config?: Record<string, unknown>
  timeoutMs?: number
}

/** A check in the released plugin, in its own vault, with a scripted model. */
export function onPlugin(
  name: string,
  script: Script,
  work: (plugin: PluginPage, front: ModelFront) => Promise<void>,
  { config = {}, timeoutMs, ...options }: WithPlugin = {},
): Check {
  return {
    name,
    ...(timeoutMs !== undefined && { timeoutMs }),
    async run() {
      opening ??= openBrowser()
      const front = await modelFront(script)
      const data = { ...front.data, config: { ...(front.data.config as object), ...config }, ...options.data }
      const plugin = await openPlugin(await opening, { ...options, data })
      try {
        await plugin.run('open-chat')
        await work(plugin, front)
        expect(plugin.troubles).toEqual([])
      } finally {
        await plugin.close()
        await front.stop()
      }
    },
  }
}

/** The panel that asks, or the next one after it. */
export const panel = ({ page }: PluginPage) => page.locator('[data-panel]')

export const turnIsOver = ({ page }: PluginPage) => page.locator('.nw-turn-foot').last().waitFor()

/** All that the page keeps, but for the store of secrets. */
export const kept = ({ page }: PluginPage): Promise<string> =>
  page.evaluate(`(async () => {
    const answer = (request) => new Promise((tell, fail) => {
      request.onsuccess = () => tell(request.result)
      request.onerror = () => fail(request.error)
    })
    const all = [Object.entries(localStorage).filter(([name]) => !name.includes('-secret-'))]
    for (const { name } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        all.push([name, store, await answer(database.transaction(store).objectStore(store).getAll())])
      }
      database.close()
    }
    return JSON.stringify(all)
  })()`)
