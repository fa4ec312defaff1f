/** Exports of `import … from 'notewright'` on Node: the whole core, and opening a folder of notes on this machine. */
export * from './core/index.js'
export type { FolderNotebook } from './hosts/node/open-notebook.js'
export { type FolderVault, type OpenVaultOptions, openVault } from './hosts/node/open-vault.js'
