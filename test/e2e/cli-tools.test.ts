import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtInTools } from '../../src/core/tools/index.js'
import { type Ran, type Stage, stage } from './cli-harness.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

/** Runs with `--json` and parses what was printed on standard output, of which there is one line. */
async function json(...words: string[]) {
  const ran = await here.run([...words, '--vault', here.vault, '--json'])
  expect(ran.stdout.trimEnd().split('\n'), ran.stderr).toHaveLength(1)
  return { code: ran.code, value: JSON.parse(ran.stdout), stderr: ran.stderr }
}

const call = (name: string, input: unknown, ...words: string[]) =>
  json('tool', 'call', name, '--input', JSON.stringify(input), ...words)

const plainly = (...words: string[]): Promise<Ran> => here.run([...words, '--vault', here.vault])

const entry = { path: 'Inbox.md', content: '- milk' }

describe('notewright tool list and show', () => {
  it('list prints every tool with exactly the fields it promises', async () => {
    const { code, value } = await json('tool', 'list')
    expect(code).toBe(0)
    expect(Object.keys(value)).toEqual(['tools'])
    expect(value.tools.map(({ name }: { name: string }) => name)).toEqual(builtInTools.map(({ name }) => name))
    for (const tool of value.tools) {
      expect(tool).toEqual({
        ...(tool.alwaysOn && { alwaysOn: true }),
        name: expect.any(String),
        title: expect.any(String),
        description: expect.any(String),
        category: expect.stringMatching(/^(?:search|file|time|media|custom)$/),
        effects: expect.any(Array),
        enabled: expect.any(Boolean),
        inputSchema: expect.objectContaining({ type: 'object' }),
      })
    }
    const off = value.tools.flatMap((tool: { name: string; enabled: boolean }) => (tool.enabled ? [] : [tool.name]))
    expect(off.sort()).toEqual(['web_fetch', 'web_search', 'youtube_transcription'])
    const drawn = await plainly('tool', 'list')
    for (const { name } of builtInTools) expect(drawn.stdout).toContain(name)
  })

  it('show tells all about one, by an alias too, and guesses at a misspelled one', async () => {
    const { code, value } = await json('tool', 'show', 'localSearch')
    expect(code).toBe(0)
    expect(value).toMatchObject({
      name: 'search_notes',
      source: 'built-in',
      enabled: true,
      aliases: ['localSearch'],
      example: { query: 'late blight' },
      inputSchema: { required: ['query'] },
      outputSchema: { type: 'object' },
    })
    const { stdout } = await plainly('tool', 'show', 'read_note')
    expect(stdout).toContain('Read note')
    expect(stdout).toContain('notewright tool call read_note --input')
    expect(await json('tool', 'show', 'raed_note')).toMatchObject({
      code: 2,
      value: { ok: false, code: 'unknown-tool', hint: expect.stringContaining('read_note') },
    })
  })

  it('enable and disable are remembered, and a tool that is off is not there to call', async () => {
    expect(await json('tool', 'disable', 'delete_note')).toMatchObject({
      code: 0,
      value: { name: 'delete_note', enabled: false },
    })
    expect(await call('delete_note', { path: 'Home.md' }, '--yes')).toMatchObject({
      code: 2,
      value: {
        ok: false,
        code: 'unknown-tool',
        text: expect.stringContaining('switched off. To switch it on: notewright tool enable delete_note'),
      },
    })
    expect(existsSync(join(here.vault, 'Home.md'))).toBe(true)
    await json('tool', 'enable', 'delete_note')
    expect(await call('delete_note', { path: 'Home.md' }, '--yes')).toMatchObject({ code: 0, value: { ok: true } })
    expect(await json('tool', 'disable', 'get_current_time')).toMatchObject({ code: 2, value: { ok: false } })
    expect(await json('tool', 'enable', 'nothing_such')).toMatchObject({ code: 2, value: { code: 'unknown-tool' } })
  })

  it('names in the settings that belong to a server wait for it, whatever else is switched', async () => {
    const set = async (key: string, value: string) => expect((await plainly('config', 'set', key, value)).code).toBe(0)
    await set('tools.enabled', '["search_notes", "files/read"]')
    await set('tools.files/read.addGuidance', 'Only the folder src.')
    await set('permissions.deny', '["mcp(files/write)"]')
    expect(await json('tool', 'enable', 'read_note')).toMatchObject({ code: 0 })
    expect(await json('tool', 'enable', 'files/list')).toMatchObject({ code: 0, value: { name: 'files/list' } })
    const { stdout } = await plainly('config', 'get', 'tools.enabled')
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining(['search_notes', 'read_note', 'files/read', 'files/list']),
    )
    expect(await call('search_notes', { query: 'tomatoes' })).toMatchObject({ code: 0 })
    for (const key of ['tools.enabled', 'tools.files/read.addGuidance', 'permissions.deny']) await set(key, '')
  })
})

describe('notewright tool call', () => {
  it('answers a read with output, text and the number of its row in the log', async () => {
    const { code, value } = await call('list_backlinks', { path: 'Garden/Tomatoes.md' })
    expect(code).toBe(0)
    expect(Object.keys(value).sort()).toEqual(['log_id', 'ok', 'output', 'text'])
    expect(value).toMatchObject({ ok: true, text: expect.any(String), log_id: expect.any(String) })
    expect(value.output.links.map(({ source_path }: { source_path: string }) => source_path)).toContain('Home.md')
    const rows = (await plainly('log', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.at(-1)).toMatchObject({ id: value.log_id, tool_name: 'list_backlinks', decision: 'allowed' })
  })

  it('takes its arguments from standard input, and none for a tool without any', async () => {
    const words = ['tool', 'call', 'read_note', '--input', '-', '--vault', here.vault, '--json']
    const { stdout } = await here.run(words, { input: '{"path": "Home.md"}' })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, output: { path: 'Home.md' } })
    expect(await json('tool', 'call', 'get_tag_list')).toMatchObject({ code: 0, value: { ok: true } })
    const plain = await plainly('tool', 'call', 'read_note', '--input', '{"path": "Home.md"}')
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('Start with the [[Tomatoes]]') })
  })

  it.each([
    ['read_note', { path: 'Missing.md' }, 3, 'not-found', 'Note not found: Missing.md'],
    ['read_note', { path: 'Secret.md' }, 3, 'not-found', 'Note not found: Secret.md'],
    ['read_note', { path: '../x.md' }, 2, 'path', 'Path must be within vault directory'],
    ['read_note', { path: 5 }, 2, 'invalid-input', 'Tool read_note validation failed: path: '],
    ['read_note', { pth: 'Home.md' }, 2, 'invalid-input', 'Tool read_note validation failed: '],
    ['read_note', { path: 'Beans' }, 2, 'ambiguous', 'Garden/Beans.md'],
    ['raed_note', {}, 2, 'unknown-tool', 'Unknown tool: raed_note'],
    ['write_note', { path: '.obsidian/app.json', content: 'x' }, 2, 'path', 'Path must be within vault directory'],
    ['write_note', entry, 4, 'needs-approval', 'needs the approval of a person'],
    ['rename_note', { path: 'Home.md', new_path: 'Orphan.md' }, 6, 'conflict', 'Orphan.md'],
  ])('%s %j exits with %i and says why', async (name, input, exitCode, code, text) => {
    const before = await here.treeHash()
    const { code: exit, value } = await call(name as string, input)
    expect({ exit, ...value }).toMatchObject({ exit: exitCode, ok: false, code, text: expect.stringContaining(text) })
    expect(['ok', 'code', 'text', 'hint']).toEqual(expect.arrayContaining(Object.keys(value)))
    expect(await here.treeHash()).toBe(before)
    const plain = await plainly('tool', 'call', name as string, '--input', JSON.stringify(input))
    expect(plain).toMatchObject({ code: exitCode, stdout: '', stderr: expect.stringContaining(text) })
  })

  it('says which arguments are not JSON, and does not take them for none', async () => {
    const { stdout, code } = await here.run([
      'tool',
      'call',
      'write_note',
      '--input',
      '{"path": ',
      '--yes',
      '--vault',
      here.vault,
      '--json',
    ])
    expect([code, JSON.parse(stdout).code]).toEqual([2, 'invalid-input'])
    expect(JSON.parse(stdout).text).toContain('not valid JSON')
  })

  it('without anyone to ask names the very rule that would let it pass; with that rule it passes', async () => {
    const { code, value } = await call('write_note', entry)
    expect(code).toBe(4)
    const [, rule] = /(allow: .+)$/.exec(value.hint)!
    expect(rule).toBe('allow: write_note(Inbox.md)')
    expect(await call('write_note', { ...entry, path: 'Other.md' }, '--allow', rule)).toMatchObject({ code: 4 })
    const allowed = await call('write_note', entry, '--allow', rule)
    expect(allowed).toMatchObject({ code: 0, value: { ok: true, text: 'Note created successfully: Inbox.md' } })
    expect(Object.keys(allowed.value).sort()).toEqual(['changeSet', 'log_id', 'ok', 'output', 'text'])
    expect(await here.read('Inbox.md')).toBe('- milk')
  })

  it('--yes agrees to what would be asked, and the change can be taken back', async () => {
    const before = await here.treeHash()
    const { code, value } = await call('write_note', entry, '--yes')
    expect(code).toBe(0)
    expect(value.changeSet).toMatchObject({ id: expect.any(String), changes: [{ kind: 'create', path: 'Inbox.md' }] })
    expect(await here.treeHash()).not.toBe(before)
    await json('undo', value.changeSet.id, '--yes')
    expect(await here.treeHash()).toBe(before)
  })

  it('--yes does not agree to what a rule denies', async () => {
    const denied = await call('write_note', entry, '--yes', '--deny', 'writes(Inbox.md)')
    expect(denied).toMatchObject({ code: 4, value: { ok: false, code: 'denied' } })
    expect(existsSync(join(here.vault, 'Inbox.md'))).toBe(false)
    expect(await call('read_note', { path: 'Home.md' }, '--deny', 'reads(folder:Garden)')).toMatchObject({ code: 0 })
    expect(await call('read_note', { path: 'Garden/Beans.md' }, '--deny', 'reads(folder:Garden)')).toMatchObject({
      code: 3,
      value: { text: expect.stringContaining('Note not found: Garden/Beans.md') },
    })
  })

  it('--dry-run writes nothing and shows the change', async () => {
    const before = await here.treeHash()
    const input = { path: 'Garden/Beans.md', old_text: 'climb poles', new_text: 'climb strings' }
    const { code, value } = await call('edit_note', input, '--dry-run')
    expect(code).toBe(0)
    expect(value).toMatchObject({
      ok: true,
      text: 'Would do: Edit Garden/Beans.md',
      changeSet: { applied: false, changes: [{ kind: 'edit', diff: expect.stringContaining('+Beans climb strings') }] },
      log_id: expect.any(String),
    })
    await call('rename_note', { path: 'Home.md', new_path: 'House.md' }, '--dry-run')
    await call('delete_note', { path: 'Home.md' }, '--dry-run')
    expect(await here.treeHash()).toBe(before)
    expect((await json('history')).value).toEqual([])
    const plain = await plainly('tool', 'call', 'edit_note', '--input', JSON.stringify(input), '--dry-run')
    expect(plain.stdout).toContain('+Beans climb strings')
  })

  it('--consent says how much passes', async () => {
    const append = { path: 'Home.md', content: 'x' }
    const codes = async (...words: string[]) => [
      (await call('read_note', { path: 'Home.md' }, ...words)).code,
      (await call('append_note', append, ...words)).code,
      (await call('delete_note', { path: 'Orphan.md' }, '--dry-run', ...words)).code,
    ]
    expect(await codes('--consent', 'read-only')).toEqual([0, 4, 0])
    expect(await codes('--consent', 'ask')).toEqual([0, 4, 0])
    expect(await codes('--consent', 'ask-all')).toEqual([4, 4, 0])
    expect(await codes('--consent', 'locked')).toEqual([0, 4, 0])
    expect(await codes('--consent', 'edit')).toEqual([0, 0, 0])
    expect(await codes('--consent', 'auto')).toEqual([0, 0, 0])
    expect(await call('delete_note', { path: 'Orphan.md' }, '--consent', 'edit')).toMatchObject({ code: 4 })
    expect(await call('delete_note', { path: 'Orphan.md' }, '--consent', 'auto')).toMatchObject({ code: 0 })
    expect(await plainly('tool', 'call', 'read_note', '--consent', 'some')).toMatchObject({ code: 2 })
  })

  it('refuses a rule it does not understand, before anything runs', async () => {
    expect(await call('append_note', entry, '--allow', 'apend_note', '--yes')).toMatchObject({
      code: 2,
      value: { ok: false, code: 'invalid-input', text: expect.stringContaining('apend_note') },
    })
  })

  it('calls of one session are taken back as one', async () => {
    const before = await here.treeHash()
    for (const path of ['One.md', 'Two.md'])
      await call('write_note', { path, content: path }, '--yes', '--session', 's')
    await call('rename_note', { path: 'One.md', new_path: 'Three.md' }, '--yes', '--session', 's')
    await json('undo', '--session', 's', '--yes')
    expect(await here.treeHash()).toBe(before)
  })

  it('--verbose tells the steps on standard error, never what a note says', async () => {
    const words = ['tool', 'call', 'read_note', '--input', '{"path":"Home.md"}', '--verbose', '--vault', here.vault]
    const { stderr } = await here.run(words)
    expect(stderr).toMatch(/^\[Notewright\] Tool .*read_note/m)
    expect(stderr).not.toContain('Nowhere')
  })
})

describe('notewright permissions', () => {
  const permissions = (...words: string[]) => json('permissions', ...words)

  it('add allow holds in this vault until it is revoked', async () => {
    const added = await permissions('add', 'allow: append_note(Home.md)')
    expect(added).toMatchObject({
      code: 0,
      value: { effect: 'allow', rule: 'append_note(Home.md)', id: expect.any(String) },
    })
    expect(await call('append_note', { path: 'Home.md', content: 'x' })).toMatchObject({ code: 0 })
    const { value } = await permissions('list')
    expect(value).toMatchObject({ level: 'ask', rules: [], grants: [{ rule: 'append_note(Home.md)', scope: 'vault' }] })
    expect(await permissions('revoke', added.value.id)).toMatchObject({
      code: 0,
      value: { revoked: ['allow: append_note(Home.md)'] },
    })
    expect(await call('append_note', { path: 'Home.md', content: 'x' })).toMatchObject({ code: 4 })
    expect(await permissions('revoke', added.value.id)).toMatchObject({ code: 3, value: { ok: false } })
  })

  it('add deny and ask go to the settings, and win over what is allowed', async () => {
    await permissions('add', 'deny: writes(folder:Garden)')
    await permissions('add', 'allow: append_note')
    const denied = await call('append_note', { path: 'Garden/Beans.md', content: 'x' }, '--yes')
    expect(denied).toMatchObject({ code: 4, value: { code: 'denied' } })
    expect(await call('append_note', { path: 'Home.md', content: 'x' })).toMatchObject({ code: 0 })
    const settings = JSON.parse(await readFile(join(here.home, 'config.json'), 'utf8'))
    expect(settings.permissions.deny).toEqual(['writes(folder:Garden)'])
    expect((await permissions('list')).value.rules).toEqual([
      { effect: 'deny', rule: 'writes(folder:Garden)', from: 'config' },
    ])
    await permissions('revoke', 'deny: writes(folder:Garden)')
    expect(await call('append_note', { path: 'Garden/Beans.md', content: 'x' })).toMatchObject({ code: 0 })
  })

  it('explain says what would be decided, by what and why, and does nothing', async () => {
    const before = await here.treeHash()
    const explain = (input: unknown, ...words: string[]) =>
      permissions('explain', 'append_note', '--input', JSON.stringify(input), ...words)
    const input = { path: 'Home.md', content: 'x' }
    expect((await explain(input)).value).toMatchObject({ tool: 'append_note', effect: 'ask', rule: 'level:ask' })
    expect((await explain(input, '--consent', 'edit')).value).toMatchObject({ effect: 'allow', rule: 'level:edit' })
    const denied = (await explain(input, '--deny', 'append_note(Home.md)')).value
    expect(denied).toMatchObject({ effect: 'deny', rule: 'deny: append_note(Home.md)', reason: expect.any(String) })
    expect(denied.considered).toMatchObject([{ applies: true }])
    expect(await here.treeHash()).toBe(before)
    expect((await plainly('permissions', 'explain', 'append_note', '--input', JSON.stringify(input))).stdout).toContain(
      'decided by level:ask',
    )
  })

  it('a vault can only restrict', async () => {
    await here.write('.notewright/permissions.json', '{"allow": ["write_note"], "deny": ["delete_note"]}')
    expect(await call('write_note', entry)).toMatchObject({ code: 4 })
    expect(await call('delete_note', { path: 'Home.md' }, '--yes')).toMatchObject({
      code: 4,
      value: { code: 'denied' },
    })
    expect((await permissions('list')).value.rules).toEqual([{ effect: 'deny', rule: 'delete_note', from: 'vault' }])
  })

  it('refuses a rule with an unknown tool or selector', async () => {
    for (const rule of ['allow: raed_note', 'deny: reads(nowhere:x)', 'maybe: read_note', 'read_note(']) {
      expect(await permissions('add', rule)).toMatchObject({ code: 2, value: { ok: false, code: 'invalid-input' } })
    }
  })
})
