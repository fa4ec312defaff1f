import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
let folder: string

// As a folder is after `npm install notewright`, which would ask the registry for what is already here.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-consumer-'))
  await run(process.execPath, ['scripts/build-types.mjs'])
  // Built already, and not again: other tests are using what is there.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse((await run('npm', pack)).stdout)
  const installed = join(folder, 'node_modules/notewright')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  const { dependencies = {} } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  // What a consumer has besides us: its own zod, and the types of its host.
  for (const name of [...Object.keys(dependencies), 'zod', '@types/node', 'undici-types']) await link(name)
  await cp('test/library/consumer', folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the installed library', () => {
  it('opens a folder of notes on Node, of one piece with its core', async () => {
    const [vault, home] = [join(folder, 'vault'), join(folder, 'home')]
    await cp('examples/vault', vault, { recursive: true })
    await mkdir(home)
    const { stdout } = await run(process.execPath, ['run.mjs', vault, home], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual({
      notes: expect.any(Number),
      found: expect.arrayContaining(['Garden/Tomatoes.md']),
      isOneFailure: true,
      missing: [],
    })
  })

  it('does what the README shows, in at most twelve lines', async () => {
    const readme = await readFile('README.md', 'utf8')
    const [, example] = /```js\n(import [\s\S]*?)```/.exec(readme) ?? []
    const lines = example.split('\n').filter((line) => line.trim() !== '')
    expect(lines.length).toBeLessThanOrEqual(12)
    await cp('examples/vault', join(folder, 'Notes'), { recursive: true })
    await writeFile(join(folder, 'example.mjs'), example)
    const env = { ...process.env, NOTEWRIGHT_HOME: join(folder, 'home-of-example') }
    const { stdout, stderr } = await run(process.execPath, ['example.mjs'], { cwd: folder, env })
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({ type: 'run-start', model: 'offline' })
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered' })
    expect(events.at(-1).text).toContain('[[')
    expect(stderr).toBe('')
  })

  it.each([
    ['in a browser', { types: [], lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] }, ['any-host.ts']],
    ['on Node', { types: ['node'], lib: ['ES2022'] }, ['any-host.ts', 'on-node.ts']],
  ])(
    'has declarations that hold strictly, and need no package but the host’s own, %s',
    async (_where, host, files) => {
      const compilerOptions = { module: 'NodeNext', target: 'ES2022', strict: true, skipLibCheck: false, noEmit: true }
      const project = join(folder, `tsconfig.${files.length}.json`)
      await writeFile(project, JSON.stringify({ compilerOptions: { ...compilerOptions, ...host }, files }))
      const complaints = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', project]).then(
        () => '',
        ({ stdout }) => stdout,
      )
      expect(complaints).toBe('')
    },
    180_000,
  )
})

async function link(name: string): Promise<void> {
  const place = join(folder, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(resolve('node_modules', name), place, 'junction')
}
