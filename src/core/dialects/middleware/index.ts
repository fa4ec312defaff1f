export { type TextDialect, textDialect, textDialects } from './text-dialect.js'
export { type DialectOptions, withDialect } from './with-dialect.js'
