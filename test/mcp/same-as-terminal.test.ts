import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ConsentLevel, consentLevels } from '../../src/core/approval/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { vaultFromHost } from '../../src/core/session/index.js'
import type { ToolResult } from '../../src/core/tools/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { howOften } from '../runner/how-often.js'
import { connect } from './connect.js'

const files = {
  'Projects/Plan.md': '---\ntags: [draft]\n---\n# Plan\n\nTo [[Monday]].\n',
  'Journal/Monday.md': '# Monday\n\nOn the [[Plan]].\n',
  'Inbox/x.md': 'An old text.\n',
}

const rules = [
  'read_note',
  'file_read',
  'edit_note(Projects/**)',
  'append_note(Inbox/**)',
  'writes',
  'writes(folder:Journal)',
  'writes(tag:#draft)',
  'reads(folder:Journal)',
  'reads(!folder:Projects)',
  'destroys',
  'delete_note',
  '*(Inbox/x.md)',
]

const calls: [string, object][] = [
  ['read_note', { path: 'Journal/Monday.md' }],
  ['search_notes', { query: 'plan' }],
  ['file_read', { filePaths: ['Projects/Plan.md', 'Journal/Monday.md'] }],
  ['edit_note', { path: 'Projects/Plan.md', old_text: 'To ', new_text: 'From ' }],
  ['append_note', { path: 'Inbox/x.md', content: 'More.' }],
  ['append_note', { path: 'Journal/Monday.md', content: '```dataviewjs\nrun()\n```' }],
  ['write_note', { path: 'Inbox/New.md', content: 'new' }],
  ['write_note', { path: 'Inbox/x.md', content: '![x](https://evil.example/a.png)' }],
  ['update_frontmatter', { path: 'Projects/Plan.md', updates: { status: 'done' } }],
  ['change_notes', { folder: 'Projects', operations: [{ op: 'add_tag', tag: 'done' }] }],
  ['rename_note', { path: 'Projects/Plan.md', new_path: 'Projects/Scheme.md' }],
  ['delete_note', { path: 'Inbox/x.md' }],
]

const bytesOf = (files: Map<string, Uint8Array>) =>
  [...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])

it('the same rules allow the same calls through MCP and at the terminal', async () => {
  const some = fc.record({
    consent: fc.constantFrom(...consentLevels),
    allow: fc.subarray(rules, { maxLength: 2 }),
    ask: fc.subarray(rules, { maxLength: 1 }),
    deny: fc.subarray(rules, { maxLength: 1 }),
    call: fc.constantFrom(...calls),
  })
  await fc.assert(
    fc.asyncProperty(some, async ({ consent, call: [name, input], ...permissions }) => {
      const settings = { permissions }
      const host = await memoryHost(files)
      const vault = vaultFromHost({ host, settings: configSchema.parse(settings) })
      const session = await vault.openSession({ consent })
      const here = await session.call({ name, input })
      const client = await connect(files, { session: { consent }, settings, expiryMs: 10 })
      const there = await client.call(name, input)
      const code = there.error
        ? 'unlisted'
        : there.result.isError
          ? JSON.parse(there.result.content[0].text).code
          : 'ok'
      expect({ name, code }).toEqual({ name, code: expectedCode(here, there.error !== undefined, consent) })
      expect(bytesOf(client.host.memory.snapshot())).toEqual(bytesOf(host.memory.snapshot()))
      await client.close()
      await vault.close()
    }),
    { numRuns: howOften(30, 600) },
  )
})

function expectedCode(here: ToolResult, isUnlisted: boolean, consent: ConsentLevel): string {
  if (here.ok) return 'ok'
  // The terminal refuses by the level what MCP does not even offer.
  if (isUnlisted && consent === 'read-only') return 'unlisted'
  // With nobody at the terminal a call fails at once. Over MCP it waits in the approval queue and is denied after a limit,
  // unless the level never asks.
  return here.code === 'needs-approval' && consent !== 'locked' ? 'denied' : here.code
}
