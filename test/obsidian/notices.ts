import { expect } from 'vitest'
import type { PluginPage } from './plugin-page.js'

/** All that notices have said since the app was opened. They go after some seconds, and a busy test looks late. */
export const notices = ({ page }: Pick<PluginPage, 'page'>): Promise<string[]> => page.evaluate('host.notices')

/** Waits until a notice has said it. */
export async function noticeSays(plugin: Pick<PluginPage, 'page'>, words: string): Promise<void> {
  await expect.poll(() => notices(plugin)).toContainEqual(expect.stringContaining(words))
}
