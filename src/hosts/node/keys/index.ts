export { type KeyStore, type KeyStoreOptions, keyStore } from './key-store.js'
export type { Keyring } from './keyring.js'
export { type TokenFile, tokenFile } from './token-file.js'
