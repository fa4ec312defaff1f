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

  it('show describes a tool, also by an alias, and suggests a name for a misspelled one', async () => {
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

  it('enable and disable are stored, and a disabled tool cannot be called', async () => {
    expect(await json('tool', 'disable', 'delete_note')).toMatchObject({
      code: 0,
      value: { name: 'delete_note', enabled: false },
    })
    expect(await call('delete_note', { path: 'Home.md' }, '--yes')).toMatchObject({
      code: 2,
      value: {
        ok: false,
        code: 'unknown-tool',
        text: expect.stringContaining('turned off. To turn it on: notewright tool enable delete_note'),
      },
    })
    expect(existsSync(join(here.vault, 'Home.md'))).toBe(true)
    await json('tool', 'enable', 'delete_note')
    expect(await call('delete_note', { path: 'Home.md' }, '--yes')).toMatchObject({ code: 0, value: { ok: true } })
    expect(await json('tool', 'disable', 'get_current_time')).toMatchObject({ code: 2, value: { ok: false } })
    expect(await json('tool', 'enable', 'nothing_such')).toMatchObject({ code: 2, value: { code: 'unknown-tool' } })
  })

  it('enable stores only the change', async () => {
    await json('tool', 'enable', 'web_fetch')
    await json('tool', 'disable', 'delete_note')
    const { stdout } = await plainly('config', 'get', 'tools.enabled')
    expect(JSON.parse(stdout)).toEqual(['default', 'web_fetch', '-delete_note'])
    await json('tool', 'disable', 'web_fetch')
    await json('tool', 'enable', 'delete_note')
    const after = await json('config', 'get', 'tools.enabled')
    expect(after.value.value).toBeNull()
  })

  it("names of a server's tools stay in the settings until it connects, whatever else changes", async () => {
    const set = async (key: string, value: string) => expect((await plainly('config', 'set', key, value)).code).toBe(0)
    await set('tools.enabled', '["search_notes", "files/read"]')
    await set('tools.files/read.addGuidance', 'Only the folder src.')
    await set('permissions.deny', '["mcp(files/write)", "files__delete"]')
    expect(await json('tool', 'enable', 'files__move')).toMatchObject({ code: 0, value: { name: 'files__move' } })
    expect(await json('tool', 'enable', 'read_note')).toMatchObject({ code: 0 })
    expect(await json('tool', 'enable', 'files/list')).toMatchObject({ code: 0, value: { name: 'files/list' } })
    const { stdout } = await plainly('config', 'get', 'tools.enabled')
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining(['search_notes', 'read_note', 'files/read', 'files/list']),
    )
    expect(await call('search_notes', { query: 'tomatoes' })).toMatchObject({ code: 0 })
  })

  it('names of tools of a server can be removed from the settings while it is not connected', async () => {
    const set = async (key: string, value: string) => expect((await plainly('config', 'set', key, value)).code).toBe(0)
    for (const [key, value] of [
      ['tools.enabled', '["search_notes", "files/read"]'],
      ['tools.files/read.addGuidance', 'Only the folder src.'],
      ['permissions.deny', '["mcp(files/write)", "files__delete"]'],
    ]) {
      await set(key, value)
      await set(key, '')
    }
  })
})

describe('notewright tool call', () => {
  it('returns output, text and the number of its log row for a read', async () => {
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

  it.each([
    ['localSearch', { query: 'blight', salientTerms: ['blight'] }],
    ['readNote', { notePath: 'Home.md' }],
    ['getFileTree', {}],
    ['getTagList', {}],
    ['getCurrentTime', { timezoneOffset: '+2' }],
    ['getTimeRangeMs', { timeExpression: 'last week' }],
    ['convertTimeBetweenTimezones', { time: '10:00', fromOffset: '+0', toOffset: '+2' }],
    ['writeToFile', { path: 'New.md', content: 'words' }],
    ['editFile', { path: 'Home.md', oldText: '#', newText: '##' }],
  ])('takes the documented arguments of %s, as a call of a model does', async (name, input) => {
    const { value } = await call(name, input, '--dry-run', '--yes')
    expect(value).toMatchObject({ ok: true })
  })

  it('reads its arguments from standard input, and none for a tool without arguments', async () => {
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
    ['write_note', entry, 4, 'needs-approval', 'Not done: this creates a note, which needs approval.'],
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

  it('reports arguments that are not JSON', async () => {
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

  it('names the rule that would allow a call if nobody can be asked; with that rule it is allowed', async () => {
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

  it('--yes approves a call that would ask, and the change can be undone', async () => {
    const before = await here.treeHash()
    const { code, value } = await call('write_note', entry, '--yes')
    expect(code).toBe(0)
    expect(value.changeSet).toMatchObject({ id: expect.any(String), changes: [{ kind: 'create', path: 'Inbox.md' }] })
    expect(await here.treeHash()).not.toBe(before)
    await json('undo', value.changeSet.id, '--yes')
    expect(await here.treeHash()).toBe(before)
  })

  it('--yes does not allow a call that a rule denies', async () => {
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

  it('--approvals sets the approval level', async () => {
    const append = { path: 'Home.md', content: 'x' }
    const codes = async (...words: string[]) => [
      (await call('read_note', { path: 'Home.md' }, ...words)).code,
      (await call('append_note', append, ...words)).code,
      (await call('delete_note', { path: 'Orphan.md' }, '--dry-run', ...words)).code,
    ]
    expect(await codes('--approvals', 'read-only')).toEqual([0, 4, 0])
    expect(await codes('--approvals', 'ask')).toEqual([0, 4, 0])
    expect(await codes('--approvals', 'ask-all')).toEqual([4, 4, 0])
    expect(await codes('--approvals', 'locked')).toEqual([0, 4, 0])
    expect(await codes('--approvals', 'edit')).toEqual([0, 0, 0])
    expect(await codes('--approvals', 'auto')).toEqual([0, 0, 0])
    expect(await call('delete_note', { path: 'Orphan.md' }, '--approvals', 'edit')).toMatchObject({ code: 4 })
    expect(await call('delete_note', { path: 'Orphan.md' }, '--approvals', 'auto')).toMatchObject({ code: 0 })
    expect(await plainly('tool', 'call', 'read_note', '--approvals', 'some')).toMatchObject({ code: 2 })
  })

  it('refuses a rule it does not understand, before anything runs', async () => {
    expect(await call('append_note', entry, '--allow', 'apend_note', '--yes')).toMatchObject({
      code: 2,
      value: { ok: false, code: 'invalid-input', text: expect.stringContaining('apend_note') },
    })
  })

  it('calls of one session are undone together', async () => {
    const before = await here.treeHash()
    for (const path of ['One.md', 'Two.md'])
      await call('write_note', { path, content: path }, '--yes', '--session', 's')
    await call('rename_note', { path: 'One.md', new_path: 'Three.md' }, '--yes', '--session', 's')
    await json('undo', '--session', 's', '--yes')
    expect(await here.treeHash()).toBe(before)
  })

  it('--verbose prints the steps on standard error, without text of notes', async () => {
    const words = ['tool', 'call', 'read_note', '--input', '{"path":"Home.md"}', '--verbose', '--vault', here.vault]
    const { stderr } = await here.run(words)
    expect(stderr).toMatch(/^\[Notewright\] Tool .*read_note/m)
    expect(stderr).not.toContain('Nowhere')
  })
})

describe('rules of notewright approvals', () => {
  const approvals = (...words: string[]) => json('approvals', ...words)

  it('add allow applies in this vault until it is revoked', async () => {
    const added = await approvals('add', 'allow: append_note(Home.md)')
    expect(added).toMatchObject({
      code: 0,
      value: { effect: 'allow', rule: 'append_note(Home.md)', id: expect.any(String) },
    })
    expect(await call('append_note', { path: 'Home.md', content: 'x' })).toMatchObject({ code: 0 })
    const { value } = await approvals('rules')
    expect((await json('permissions', 'list')).value).toEqual(value)
    expect(value).toMatchObject({ level: 'ask', rules: [], grants: [{ rule: 'append_note(Home.md)', scope: 'vault' }] })
    expect(await approvals('revoke', added.value.id)).toMatchObject({
      code: 0,
      value: { revoked: ['allow: append_note(Home.md)'] },
    })
    expect(await call('append_note', { path: 'Home.md', content: 'x' })).toMatchObject({ code: 4 })
    expect(await approvals('revoke', added.value.id)).toMatchObject({ code: 3, value: { ok: false } })
  })

  it('add deny and ask are stored in the settings, and take precedence over allow', async () => {
    await approvals('add', 'deny: writes(folder:Garden)')
    await approvals('add', 'allow: append_note')
    const denied = await call('append_note', { path: 'Garden/Beans.md', content: 'x' }, '--yes')
    expect(denied).toMatchObject({ code: 4, value: { code: 'denied' } })
    expect(await call('append_note', { path: 'Home.md', content: 'x' })).toMatchObject({ code: 0 })
    const settings = JSON.parse(await readFile(join(here.home, 'config.json'), 'utf8'))
    expect(settings.permissions.deny).toEqual(['writes(folder:Garden)'])
    expect((await approvals('rules')).value.rules).toEqual([
      { effect: 'deny', rule: 'writes(folder:Garden)', from: 'config' },
    ])
    await approvals('revoke', 'deny: writes(folder:Garden)')
    expect(await call('append_note', { path: 'Garden/Beans.md', content: 'x' })).toMatchObject({ code: 0 })
  })

  it('explain reports the decision, its rule and the reason, and does nothing', async () => {
    const before = await here.treeHash()
    const explain = (input: unknown, ...words: string[]) =>
      approvals('explain', 'append_note', '--input', JSON.stringify(input), ...words)
    const input = { path: 'Home.md', content: 'x' }
    expect((await explain(input)).value).toMatchObject({ tool: 'append_note', effect: 'ask', rule: 'level:ask' })
    expect((await explain(input, '--approvals', 'edit')).value).toMatchObject({ effect: 'allow', rule: 'level:edit' })
    const denied = (await explain(input, '--deny', 'append_note(Home.md)')).value
    expect(denied).toMatchObject({ effect: 'deny', rule: 'deny: append_note(Home.md)', reason: expect.any(String) })
    expect(denied.considered).toMatchObject([{ applies: true }])
    expect(await here.treeHash()).toBe(before)
    expect((await plainly('approvals', 'explain', 'append_note', '--input', JSON.stringify(input))).stdout).toContain(
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
    expect((await approvals('rules')).value.rules).toEqual([{ effect: 'deny', rule: 'delete_note', from: 'vault' }])
  })

  it('refuses a rule with an unknown tool or selector', async () => {
    for (const rule of ['allow: raed_note', 'deny: reads(nowhere:x)', 'maybe: read_note', 'read_note(']) {
      expect(await approvals('add', rule)).toMatchObject({ code: 2, value: { ok: false, code: 'invalid-input' } })
    }
  })
})
