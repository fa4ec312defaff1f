import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { type ModelFront, modelFront } from './model-front.js'
import { openPlugin, type PluginOptions, type PluginPage } from './plugin-page.js'

export const images = join(import.meta.dirname, '../../test-results/obsidian')
export const notes = {
  'Soil.md': '# Soil\n\nCompost feeds the soil.\n',
  'Beans.md': '# Beans\n\nBeans like warm soil. See [[Soil]] and [soil](Soil.md).\n',
  'Log.md': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n',
}
export const call = (name: string, input: unknown): Said => ({ call: [{ name, input }] })
export const append = call('append_note', { path: 'Log.md', content: 'eight' })
export const done: Said = { say: 'Done.' }

/** The chat pane with a scripted model. */
export async function withModel(
  browser: Pick<Browser, 'newContext'>,
  script: Said[],
  work: (plugin: PluginPage, front: ModelFront) => Promise<void>,
  options: PluginOptions & { letsAppsRead?: boolean } = {},
): Promise<void> {
  const front = await modelFront(script, options)
  const plugin = await openPlugin(browser, { files: notes, data: front.data, ...options })
  try {
    await plugin.run('open-chat')
    await work(plugin, front)
    expect(plugin.troubles).toEqual([])
  } finally {
    await plugin.close()
    await front.stop()
  }
}

/** By the button that says what will happen. */
export const allow = ({ page }: PluginPage) => page.locator('.nw-allow').click()

export const answered = ({ page }: PluginPage, words = 'Done.') =>
  page.locator('.nw-log').getByText(words).last().waitFor()
