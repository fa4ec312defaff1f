import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
let folder: string
const browser = { types: [], lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] }

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
  // Other packages of a consumer: its own zod, and the types of its host.
  for (const name of [...Object.keys(dependencies), 'zod', '@types/node', 'undici-types']) await link(name)
  await cp('test/library/consumer', folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the installed library', () => {
  it('opens a folder of notes on Node with the same core', async () => {
    const [vault, home] = [join(folder, 'vault'), join(folder, 'home')]
    await cp('examples/vault', vault, { recursive: true })
    await mkdir(home)
    const { stdout } = await run(process.execPath, ['run.mjs', vault, home], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual({
      notes: expect.any(Number),
      found: expect.arrayContaining(['Garden/Tomatoes.md']),
      isOneFailure: true,
      missing: [],
      same: expect.arrayContaining(['Garden/Tomatoes.md']),
      tagged: expect.arrayContaining(['summer']),
      isUndone: true,
    })
  })

  it('runs the first example, in at most twelve lines', async () => {
    const example = await readFile('examples/01-ask.ts', 'utf8')
    expect(example.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12)
    const { stdout, stderr } = await runScript('example', example)
    expect(stdout).toMatch(/\[\[Garden\/Tomatoes.*\]\][\s\S]*\nSources: Garden\/Tomatoes\.md/)
    expect(stderr).toBe('')
  })

  it("runs the README's example, if it has one", async () => {
    const [, example] = /```js\n(import [\s\S]*?)```/.exec(await readFile('README.md', 'utf8')) ?? []
    if (example === undefined) return
    const { stdout, stderr } = await runScript('readme', example)
    expect(stdout).toContain('[[')
    expect(stderr).toBe('')
  })

  it.each([
    ['NodeNext', 'in a browser', browser, ['any-host.ts']],
    ['NodeNext', 'on Node', { types: ['node'], lib: ['ES2022'] }, ['any-host.ts', 'on-node.ts', 'calls.ts']],
    ['bundler', 'on Node', { types: ['node'], lib: ['ES2022'] }, ['any-host.ts', 'on-node.ts', 'calls.ts']],
  ])(
    'has declarations that hold strictly, and need no package but the host’s own: %s resolution, %s',
    async (resolution, where, host, files) => {
      const compilerOptions = {
        ...(resolution === 'bundler'
          ? { module: 'Preserve', moduleResolution: 'bundler' }
          : { module: 'NodeNext', moduleResolution: 'NodeNext' }),
        target: 'ES2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
      }
      const project = join(folder, `tsconfig.${resolution}.${where.replaceAll(' ', '-')}.json`)
      await writeFile(project, JSON.stringify({ compilerOptions: { ...compilerOptions, ...host }, files }))
      const complaints = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', project]).then(
        () => '',
        ({ stdout }) => stdout,
      )
      expect(complaints).toBe('')
    },
    300_000,
  )
})

/** Runs a script of the consumer, beside a folder of notes. */
async function runScript(name: string, text: string) {
  await cp('examples/vault', join(folder, 'Notes'), { recursive: true })
  await writeFile(join(folder, `${name}.mjs`), text)
  const env = { ...process.env, NOTEWRIGHT_HOME: join(folder, `home-of-${name}`) }
  return run(process.execPath, [`${name}.mjs`], { cwd: folder, env })
}

async function link(name: string): Promise<void> {
  const place = join(folder, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(resolve('node_modules', name), place, 'junction')
}
