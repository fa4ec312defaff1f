import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The files that a script runs, as the runner itself lists them. */
function filesOf(script: string): string[] {
  const words = scripts[script].match(/vitest run (.*)$/)[1].split(' ')
  const runner = resolve('node_modules/vitest/vitest.mjs')
  // Not as part of this run.
  const { VITEST: _, NODE_ENV: __, NOTEWRIGHT_TESTS: ___, ...env } = process.env
  const listed = execFileSync(process.execPath, [runner, 'list', '--filesOnly', '--json', ...words], { env })
  return JSON.parse(`${listed}`).map(({ file }: { file: string }) => relative('.', file).replaceAll('\\', '/'))
}

function testFiles(folder = '.'): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name).replaceAll('\\', '/')
    if (entry.isDirectory()) return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : testFiles(path)
    return /\.(?:test|spec)\.\w+$/.test(path) ? [path] : []
  })
}

describe('every test', () => {
  const [quick, slow, peers] = ['test', 'test:all', 'test:peers'].map(filesOf)

  it('is run by npm test, npm run test:all or npm run test:peers', () => {
    expect([...new Set([...quick, ...slow, ...peers])].sort()).toEqual(testFiles().sort())
  })

  it('that needs peers is run only by test:peers', () => {
    expect([...quick, ...slow].filter((file) => file.startsWith('test/peers/'))).toEqual([])
    expect(peers.filter((file) => !file.startsWith('test/peers/'))).toEqual([])
  })

  it('that is slow is left out of npm test, and one that asks how often is run by both', () => {
    const twice = quick.filter((file) => /from '[./a-z]+\/how-often\.js'/.test(readFileSync(file, 'utf8')))
    expect(quick.filter((file) => file.endsWith('.slow.test.ts'))).toEqual([])
    expect(slow.filter((file) => !file.endsWith('.slow.test.ts')).sort()).toEqual(twice.sort())
  })

  it('is run before a change lands', () => {
    const lines = readFileSync('.ci/run', 'utf8').split('\n')
    expect(lines).toEqual(
      expect.arrayContaining(['npm test', 'npm run test:all', 'npm run test:peers'].map((run) => `run_tests ${run}`)),
    )
  })
})
