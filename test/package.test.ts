import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Without the plugin, which is released apart and gets its modules from the app. */
const built = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.m?js$/.test(file) && !/^obsidian[\\/]/.test(file),
)
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The name of a package, behind any of the ways to ask for one. */
const asking =
  /(?:\brequire\(|\bimport\(|\bfrom ?|\bimport ?)["'`]((?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9:._-]*(?:\/[a-z0-9._-]+)*)["'`]/g

/** Looks like an import, but is only mentioned in an error message of the MCP SDK. */
const onlyNamed = ['zod/v4']

describe('the built program', () => {
  it('imports only packages that are installed with it', () => {
    const installed = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...onlyNamed])
    const wanted = built.flatMap((file) => {
      const names = [...readFileSync(join('dist', file), 'utf8').matchAll(asking)].map(([, name]) => name)
      return names.filter((name) => !isBuiltin(name) && !installed.has(name)).map((name) => `${file}: ${name}`)
    })
    expect(built.length).toBeGreaterThan(50)
    expect(wanted).toEqual([])
  })

  it('loads no tools and no frontmatter reader for a search', () => {
    const code = withImports(['notewright.js', chunkNamed('run-command-line'), chunkWith('No notes match.')])
      .map((file) => readFileSync(join('dist', file), 'utf8'))
      .join('')
    const of = { search: 'No notes match.', tools: 'get_note_metadata', frontmatter: 'YAMLParseError' }
    const found = Object.entries(of).filter(([, text]) => code.includes(text))
    expect(found.map(([name]) => name)).toEqual(['search'])
    expect(code.length).toBeLessThan(620_000)
  })

  it('answers an MCP handshake before it loads notes, index or keys', () => {
    const files = withImports([
      'notewright.js',
      chunkNamed('run-command-line'),
      chunkWith('function earlyHandshakeTransport('),
    ])
    const code = files.map((file) => readFileSync(join('dist', file), 'utf8')).join('')
    const of = {
      greeting: 'protocolVersion',
      index: 'CREATE TABLE',
      frontmatter: 'YAMLParseError',
      keys: '@napi-rs/keyring',
    }
    const found = Object.entries(of).filter(([, text]) => code.includes(text))
    expect(found.map(([name]) => name)).toEqual(['greeting'])
    expect(code.length).toBeLessThan(270_000)
  })

  it('contains the licences of everything bundled', () => {
    const licences = readFileSync('dist/licences.txt', 'utf8')
    const own = Object.keys(devDependencies).filter((name) => licences.includes(`\n${name} `))
    expect(own).toEqual(
      expect.arrayContaining(['commander', 'yaml', 'zod', 'linkedom', '@ai-sdk/openai', 'ignore', 'diff']),
    )
    expect(own).not.toContain('vitest')
    expect(licences).toContain('Permission is hereby granted')
    expect(licences).toContain('Apache License')
  })
})

function chunkNamed(name: string): string {
  const found = built.filter((file) => new RegExp(`^chunks/${name}-[\\w-]{8}\\.js$`).test(file))
  expect(found).toHaveLength(1)
  return found[0]
}

function chunkWith(text: string): string {
  const found = built.filter(
    (file) => file.startsWith('chunks/') && readFileSync(join('dist', file), 'utf8').includes(text),
  )
  expect(found).toHaveLength(1)
  return found[0]
}

/** These files of dist/ and all that they import before they run. */
function withImports(files: string[]): string[] {
  const loaded = new Set(files)
  for (const file of loaded) {
    const code = readFileSync(join('dist', file), 'utf8')
    for (const [, name] of code.matchAll(/(?:\bfrom|\bimport) ?["']\.{1,2}\/(?:chunks\/)?([^"']+)["']/g))
      loaded.add(`chunks/${name}`)
  }
  return [...loaded]
}
