/** What `import … from 'notewright'` gives on Node: everything of the core, and a folder of notes opened on this machine. */
export * from './core/index.js'
export type { FolderNotebook } from './hosts/node/open-notebook.js'
export { type FolderVault, type OpenVaultOptions, openVault } from './hosts/node/open-vault.js'
