export { type CodexSettings, openCodex } from './open-codex.js'
export { installedCodex } from './version.js'
