import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { inputSchema, parseInput } from '../tool-input.js'
import { updateFrontmatter } from './update-frontmatter.js'

type Input = { updates?: Record<string, unknown>; add?: Record<string, unknown[]>; remove?: Record<string, unknown[]> }

async function updated(text: string, input: Input) {
  const context = await testContext({ 'a.md': text })
  const checked = parseInput(updateFrontmatter, { path: 'a.md', ...input })
  const plan = await updateFrontmatter.plan!(checked, context)
  const applied = await context.apply(plan.changes)
  const bytes = context.memory.snapshot().get('a.md')
  return {
    context,
    plan,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    words: updateFrontmatter.render(plan.output, applied),
  }
}

describe('update_frontmatter', () => {
  it('sets, adds and removes properties and answers with them', async () => {
    const { text, words } = await updated('---\na: 1\nb: 2\ntags: [x, y]\n---\nbody\n', {
      updates: { a: 'one', b: null, c: ['p'] },
      add: { tags: ['#z'] },
      remove: { tags: ['x'] },
    })
    expect(text).toBe('---\na: one\ntags: [y, z]\nc:\n  - p\n---\nbody\n')
    expect(words).toBe('Frontmatter updated for a.md: {"a":"one","b":null,"c":["p"],"tags":["y","z"]}')
  })

  it('refuses more at once than it can do quickly', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, at]))
    await expect(updated('', { updates: many })).rejects.toMatchObject({ code: 'too-large' })
    const items = Array.from({ length: 1001 }, (_, at) => `t${at}`)
    await expect(updated('', { add: { tags: items } })).rejects.toMatchObject({ code: 'too-large' })
    await expect(updated('', { add: { tags: items }, remove: { tags: [] } })).rejects.toMatchObject({
      code: 'too-large',
    })
  })

  it('makes frontmatter where there is none', async () => {
    expect((await updated('body\n', { updates: { status: 'done' } })).text).toBe('---\nstatus: done\n---\nbody\n')
  })

  it('inserts exactly one line, and undo restores every byte', async () => {
    const before = '\ufeff---\r\ntitle: x # keep me\r\nn: 0o17\r\nz: 1.0\r\nd: 2024-01-02\r\n---\r\nbody\r\n'
    const { text, context, plan } = await updated(before, { updates: { added: 1 } })
    expect(text).toBe(before.replace('---\r\nbody', 'added: 1\r\n---\r\nbody'))
    await context.apply(await context.memory.planUndo({ id: plan.changes.id }))
    expect(context.memory.snapshot().get('a.md')).toEqual(new TextEncoder().encode(before))
  })

  it('takes __proto__ for a name like any other', async () => {
    const before = '---\n__proto__: {polluted: yes}\nconstructor: {prototype: {polluted: yes}}\ntitle: p\n---\n'
    const input = JSON.parse('{"updates":{"__proto__":{"polluted":1}}}')
    const { text, words } = await updated(before, input)
    expect(text).toBe('---\n__proto__:\n  polluted: 1\nconstructor: {prototype: {polluted: yes}}\ntitle: p\n---\n')
    expect(words).toBe('Frontmatter updated for a.md: {"__proto__":{"polluted":1}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((await updated('x', JSON.parse('{"add":{"__proto__":["one"]}}'))).text).toBe(
      '---\n__proto__:\n  - one\n---\nx',
    )
  })

  it('leaves other languages between dashes alone', async () => {
    const body = '---js\n{ t: (require("fs").writeFileSync("PWNED","x"),1) }\n---\nb'
    expect((await updated(body, { updates: { a: 1 } })).text).toBe(`---\na: 1\n---\n${body}`)
  })

  it.each([
    ['broken YAML', '---\na: [1\n---\nx\n'],
    [
      'an alias bomb',
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]`)
        .join('\n')}\n---\nx\n`,
    ],
    ['deep nesting', `---\na: ${'['.repeat(20_000)}\n---\nx\n`],
  ])('refuses %s and changes nothing', async (_, text) => {
    await expect(updated(text, { updates: { b: 1 } })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('frontmatter could not be read'),
    })
  })

  it('says so where the note already has it', async () => {
    const { plan, words } = await updated('---\na: 1\n---\n', { updates: { a: 1, gone: null } })
    expect(plan).toMatchObject({ effects: [], changes: { changes: [] }, output: { changed: false } })
    expect(words).toBe('Nothing to change: the frontmatter of a.md already has {"a":1,"gone":null}')
  })

  it.each([
    ['nothing to change', {}],
    ['an empty object', { updates: {} }],
    ['a list of updates', { updates: ['a'] }],
    ['items that are no list', { add: { tags: 'x' } }],
  ])('refuses %s', async (_, input) => {
    await expect(updated('x', input as Input)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/^Tool update_frontmatter validation failed: /),
    })
  })

  it('does not touch a note that is not UTF-8', async () => {
    const context = await testContext({})
    context.memory.write('bad.md', new Uint8Array([0x23, 0xff]))
    const plan = updateFrontmatter.plan!({ path: 'bad.md', updates: { a: 1 } }, context)
    await expect(plan).rejects.toMatchObject({ code: 'not-utf8' })
  })

  it('warns of a value that a plugin would run', async () => {
    const { plan } = await updated('x', { updates: { title: '<%* tp.system.prompt() %>' } })
    expect(plan.notices).toMatchObject([{ kind: 'executable' }])
  })

  it('has a schema of plain objects', () => {
    expect(inputSchema(updateFrontmatter)).toMatchObject({
      properties: { updates: { type: 'object' }, add: { type: 'object' }, remove: { type: 'object' } },
      required: ['path'],
    })
  })
})
