export { fileGrants } from './file-grants.js'
export { readableNotebook } from './readable-notebook.js'
export { vaultRules } from './vault-rules.js'
