import { describe, expect, it } from 'vitest'
import { checkServer, type ListedServer, serverForms, shownServer } from '../../core/mcp/index.js'
import { serverFromForm, serverRow } from './server-rows.js'

const forms = serverForms()
const facts = { forms, toolsOn: 0, startsPrograms: true }

const listed = (setting: ListedServer['setting'], more: Partial<ListedServer> = {}): ListedServer => ({
  name: 'files',
  from: 'settings',
  setting,
  hash: 'a',
  state: 'on',
  ...more,
})

describe('the row of an MCP server', () => {
  it('shows every field of the schema that has a value, and no value of a variable or a header', () => {
    const program = {
      command: 'npx',
      args: ['-y', 'two words'],
      env: { TOKEN: 'secret' },
      cwd: '/data',
      timeoutMs: 500,
    }
    const row = serverRow(shownServer(listed(program)), facts)
    expect(row.code).toBe('npx -y "two words"')
    expect(row.facts?.map(({ text }) => text)).toEqual(expect.arrayContaining(['TOKEN', '/data', '500']))
    const remote = { url: 'https://example.org/mcp?key=secret', headers: { Authorization: 'secret' } }
    const shown = [row, serverRow(shownServer(listed(remote)), facts)]
    expect(JSON.stringify(shown)).toContain('Authorization')
    expect(JSON.stringify(shown)).not.toContain('secret')
  })

  it.each([
    [{ state: 'on' as const }, {}, ['tools', 'test', 'remove'], 'off'],
    [{ state: 'on' as const }, { toolsOn: 2 }, ['tools', 'test', 'remove'], 'ok'],
    [{ state: 'untrusted' as const, from: 'vault' as const }, {}, ['review'], 'warn'],
    [{ state: 'hidden' as const, from: 'vault' as const }, {}, [], 'off'],
    [{ state: 'on' as const }, { startsPrograms: false }, ['remove'], 'off'],
  ])('offers for %o only the actions that are possible', (server, here, actions, tone) => {
    const row = serverRow(shownServer(listed({ command: 'npx' }, server)), { ...facts, ...here })
    expect(row.actions.map(({ id }) => id)).toEqual(actions)
    expect(row.status?.tone).toBe(tone)
  })
})

describe('the form of an MCP server', () => {
  it('has a field with a label for every part of an entry but its type and its switch', () => {
    const keys = (kind: 'program' | 'address') => forms[kind].map(({ key }) => key)
    expect(keys('program')).toEqual(['command', 'args', 'env', 'cwd', 'timeoutMs'])
    expect(keys('address')).toEqual(['url', 'headers', 'timeoutMs'])
    for (const { label, hint } of Object.values(forms).flat()) expect([label, hint]).not.toContain('')
  })

  it('makes an entry that the schema accepts, without empty fields', () => {
    const typed = { command: ' npx ', args: '-y\n\nserver', env: `A=1=2\n=\nB= \${C}`, cwd: '', timeoutMs: '5000' }
    const entry = serverFromForm(forms.program, typed)
    expect(entry).toEqual({ command: 'npx', args: ['-y', 'server'], env: { A: '1=2', B: `\${C}` }, timeoutMs: 5000 })
    expect(checkServer('files', entry)).toEqual(entry)
  })

  it.each([
    ['program' as const, { command: 'npx', env: 'no value' }, 'Environment variables must be'],
    ['program' as const, { command: 'npx', timeoutMs: 'soon' }, 'Timeout in milliseconds must be'],
    ['address' as const, { url: 'example' }, 'Address must be'],
  ])('names the field of a %s that is wrong', (kind, typed, message) => {
    expect(() => checkServer('files', serverFromForm(forms[kind], typed))).toThrow(message)
  })
})
