export { type TextDialect, textDialect } from './text-dialect.js'
export { type DialectOptions, withDialect } from './with-dialect.js'
