export { type CodexSettings, openCodex } from './open-codex.js'
