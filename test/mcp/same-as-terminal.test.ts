import fc from 'fast-check'
import { expect, it } from 'vitest'
import { consentLevels } from '../../src/core/approval/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { openedVault } from '../../src/core/session/index.js'
import { memoryHost } from '../../src/core/session/testing/memory-host.js'
import { howOften } from '../how-often.js'
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
  ['rename_note', { path: 'Projects/Plan.md', new_path: 'Projects/Scheme.md' }],
  ['delete_note', { path: 'Inbox/x.md' }],
]

const bytesOf = (files: Map<string, Uint8Array>) =>
  [...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])

it('does through MCP what the same rules would let happen at the terminal, and nothing else', async () => {
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
      const vault = openedVault({ host, settings: configSchema.parse(settings) })
      const session = await vault.openSession({ consent })
      const here = await session.call({ name, input })
      const client = await connect(files, { session: { consent }, settings })
      const there = await client.call(name, input)
      const code = there.error
        ? 'unlisted'
        : there.result.isError
          ? JSON.parse(there.result.content[0].text).code
          : 'ok'
      // What is not even offered where nothing may be written is refused at the terminal by the level.
      const same = here.ok ? 'ok' : there.error && consent === 'read-only' ? 'unlisted' : here.code
      expect({ name, code }).toEqual({ name, code: same })
      expect(bytesOf(client.host.memory.snapshot())).toEqual(bytesOf(host.memory.snapshot()))
      await client.close()
      await vault.close()
    }),
    { numRuns: howOften(30, 600) },
  )
})
