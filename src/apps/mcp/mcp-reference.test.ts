import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { mcpReference } from './mcp-reference.js'

it('keeps docs/reference/mcp.md in step with the tools (npm run docs writes it)', async () => {
  expect(await readFile('docs/reference/mcp.md', 'utf8')).toBe(mcpReference())
})
