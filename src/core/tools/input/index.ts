export { inputSchema, type JsonSchema, outputSchema } from './input-schema.js'
export { parseInput } from './parse-input.js'
