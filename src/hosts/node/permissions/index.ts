export { type FileGrantsOptions, fileGrants } from './file-grants.js'
export { type VaultRulesOptions, vaultRules, vaultRulesFile } from './vault-rules.js'
