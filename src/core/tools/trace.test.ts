import { describe, expect, it } from 'vitest'
import { traceLines } from './trace.js'

describe('the lines of --verbose', () => {
  it('say what happens to a call, step by step', () => {
    const tool = 'vault_search'
    const input = { query: 'machine learning', limit: 10 }
    const steps = [
      { step: 'requested', calls: 2 },
      { step: 'asking', tool },
      { step: 'approved', tool },
      { step: 'executing', tool, input },
      { step: 'completed', tool, input, output: { results: [{}, {}, {}] } },
      { step: 'cancelled', tool: 'write_note' },
      { step: 'failed', tool: 'read_note', code: 'not-found' },
    ] as const
    expect(steps.flatMap(traceLines)).toEqual([
      'AI requested 2 tool call(s)',
      'Handling 2 tool call(s)',
      'Requesting approval for tool: vault_search',
      'Tool approved by user: vault_search',
      'Executing tool: vault_search (query: 16 characters, limit: 10)',
      'Vault search: "machine learning" found 3 results',
      'Tool execution completed: vault_search',
      'Tool cancelled by user: write_note',
      'Tool execution failed: read_note (not-found)',
    ])
    expect(traceLines({ step: 'completed', tool: 'file_read', output: { files: [1, 2] } })[0]).toBe('Read 2 files')
    expect(traceLines({ step: 'registered', tool })).toEqual(['Registered tool: vault_search'])
  })

  it('never hold the text of a note or a key', () => {
    const input = {
      path: 'A.md',
      content: 'NOTE TEXT',
      old_text: 'NOTE TEXT',
      diff: 'NOTE TEXT',
      updates: { a: 'NOTE TEXT' },
    }
    const found = [{ path: 'A.md', content: 'NOTE TEXT', preview: 'NOTE TEXT' }]
    const output = { files: found, results: found }
    const lines = [
      ...traceLines({ step: 'executing', tool: 'edit_note', input }),
      ...traceLines({ step: 'completed', tool: 'file_read', input, output }),
      ...traceLines({ step: 'completed', tool: 'vault_search', input: { query: 'sk-test-CANARYKEY0000' }, output }),
      ...traceLines({ step: 'executing', tool: 'web_fetch', input: { url: 'https://x.org/?key=CANARYKEY' } }),
    ].join('\n')
    expect(lines).not.toMatch(/NOTE TEXT|CANARYKEY/)
    expect(lines).toContain('path: "A.md"')
  })
})
