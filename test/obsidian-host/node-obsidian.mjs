/** The values that the plugin's vault takes from the app, for tests that run in Node. */
export { TFolder } from './app/vault.ts'

export class MarkdownView {}

export const Platform = { isDesktopApp: false }
