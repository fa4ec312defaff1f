import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../run-program.js'

const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))
const official = (name: string) => installed(`@modelcontextprotocol/server-${name}/dist/index.js`)

let home: string
let vault: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'notewright-servers-'))
  vault = join(home, 'vault')
  await mkdir(vault)
  await mkdir(join(home, 'data'))
  await writeFile(join(home, 'data', 'soil.txt'), 'Compost feeds the soil.')
})

async function run(...words: string[]) {
  const all = [resolve('dist/notewright.js'), '--json', '--vault', vault, ...words]
  const { stdout, stderr } = await runProgram(process.execPath, all, { HOME: home, NOTEWRIGHT_HOME: join(home, 'nw') })
  return JSON.parse(stdout === '' ? stderr : stdout)
}

const servers = (...words: string[]) => run('mcp-servers', ...words)
const add = (name: string, ...words: string[]) => servers('add', name, '--', process.execPath, ...words)
const enable = (name: string, tool: string) => servers('tools', name, '--enable', tool, '--yes')
const call = (tool: string, input: object) => run('tool', 'call', tool, '--input', JSON.stringify(input), '--yes')

describe('servers that people use', () => {
  it('server-filesystem: lists its tools, reads and writes allowed files, and reports refused ones', async () => {
    const file = join(home, 'data', 'soil.txt')
    await add('files', official('filesystem'), join(home, 'data'))
    const { ok, tools } = await servers('test', 'files')
    expect({ ok, count: tools.length }).toEqual({ ok: true, count: 14 })
    await enable('files', 'read_text_file')
    await enable('files', 'write_file')
    expect(await call('files/read_text_file', { path: file })).toMatchObject({
      ok: true,
      text: 'Compost feeds the soil.',
      output: { structuredContent: { content: 'Compost feeds the soil.' } },
    })
    expect(await call('files/write_file', { path: file, content: 'New.' })).toMatchObject({ ok: true })
    expect(await readFile(file, 'utf8')).toBe('New.')
    const outside = await call('files/read_text_file', { path: '/etc/hostname' })
    expect(outside).toMatchObject({ ok: false, text: expect.stringContaining('outside allowed directories') })
    expect(await call('files/read_text_file', {})).toMatchObject({ ok: false, code: 'invalid-input' })
  })

  it('server-memory: keeps its data between two starts', async () => {
    await servers(
      'add',
      'memory',
      '--env',
      `MEMORY_FILE_PATH=${join(home, 'm.jsonl')}`,
      '--',
      process.execPath,
      official('memory'),
    )
    for (const tool of ['create_entities', 'search_nodes']) await enable('memory', tool)
    const entities = [{ name: 'Compost', entityType: 'thing', observations: ['feeds the soil'] }]
    expect(await call('memory/create_entities', { entities })).toMatchObject({ ok: true })
    const found = await call('memory/search_nodes', { query: 'soil' })
    expect(found).toMatchObject({ ok: true, output: { structuredContent: { entities: [{ name: 'Compost' }] } } })
  })

  it('server-everything, over stdio: text, structured content, and a picture that is only named', async () => {
    await add('everything', official('everything'), 'stdio')
    const { tools } = await servers('test', 'everything')
    const names = tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['echo', 'get-tiny-image', 'get-structured-content']))
    for (const tool of ['echo', 'get-tiny-image', 'get-structured-content']) await enable('everything', tool)
    expect(await call('everything/echo', { message: 'hello' })).toMatchObject({ ok: true, text: 'Echo: hello' })
    const picture = await call('everything/get-tiny-image', {})
    expect(picture.text).toMatch(/\[image: image\/png, [\d,]+ bytes, not shown\]/)
    const weather = await call('everything/get-structured-content', { location: 'New York' })
    expect(weather).toMatchObject({ ok: true, output: { structuredContent: { temperature: expect.any(Number) } } })
  })
})
