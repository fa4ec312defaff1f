export { foreignReasons as schemaReasons } from './foreign-schema.js'
export { inputSchema, type JsonSchema, outputSchema } from './input-schema.js'
export { parseInput } from './parse-input.js'
