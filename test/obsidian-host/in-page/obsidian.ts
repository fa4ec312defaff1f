import type { obsidian } from '../app/obsidian.js'

/** The app's own classes, for code that is bundled apart from it. */
const { host } = globalThis as unknown as { host: { obsidian: typeof obsidian } }

export const { MarkdownView, Platform, TFolder } = host.obsidian
