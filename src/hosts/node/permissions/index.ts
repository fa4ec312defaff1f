export { fileGrants } from './file-grants.js'
export { vaultRules } from './vault-rules.js'
