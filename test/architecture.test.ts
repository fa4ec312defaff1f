import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const floors = ['core', 'hosts', 'ui', 'apps', 'library.ts']

describe('the house', () => {
  it('has imports that point down: core, then hosts, then apps', () => {
    const wrong = imports().filter(({ from, to }) => floors.indexOf(floor(to)) > floors.indexOf(floor(from)))
    expect(wrong).toEqual([])
  })

  it('enters another room of the core through its door', () => {
    const wrong = imports().filter(({ from, to }) => room(from) !== room(to) && floor(to) === 'core' && !isDoor(to))
    expect(wrong).toEqual([])
  })

  it('keeps hosts and apps from reaching into each other', () => {
    const sibling = ({ from, to }: Import) =>
      floor(from) === floor(to) && floor(from) !== 'core' && room(from) !== room(to)
    expect(imports().filter(sibling)).toEqual([])
  })

  it('has a core that bundles for a browser, so it also loads on a phone', async () => {
    const result = await build({
      entryPoints: [join(root, 'src/core/index.ts')],
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    })
    const code = result.outputFiles[0].text
    expect(code).not.toMatch(/\beval\(|new Function\(|gray-matter/)
  })

  it('has no look-behind in the core, since the older WebKit of phones refuses the whole file for one', () => {
    const wrong = sources().filter(
      (file) => floor(file) === 'core' && /\(\?<[=!]/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  it('has no file that wants to be a folder', () => {
    const long = sources()
      .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 450)
    expect(long).toEqual([])
  })
})

interface Import {
  from: string
  to: string
}

const floor = (file: string): string => file.split('/')[1]
const room = (file: string): string => file.split('/').slice(1, 3).join('/')
const isDoor = (file: string): boolean => /^src\/core\/(errors|index|is-record|[\w-]+\/index)\.js$/.test(file)

function imports(): Import[] {
  return sources().flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8')
    const found = text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)
    return [...found].map(([, to]) => ({ from, to: relative(root, join(root, dirname(from), to)) }))
  })
}

function sources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
}
