export * from './errors.js'
export * from './markdown/index.js'
export * from './vault/index.js'
export * from './vault-index/index.js'
