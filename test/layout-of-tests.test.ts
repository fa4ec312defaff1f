import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const testFile = /\.test\.tsx?$/

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
}

it('a test in src is named after the file beside it whose behaviour it checks', () => {
  const tests = filesBelow('src').filter((file) => testFile.test(file))
  // `run.leaving.test.ts` checks one aspect of `run.ts`.
  const source = (test: string) => join(dirname(test), basename(test).split('.')[0])
  const isNamed = (test: string) => ['.ts', '.tsx'].some((ending) => existsSync(`${source(test)}${ending}`))
  expect(tests.length).toBeGreaterThan(200)
  expect(tests.filter((test) => !isNamed(test))).toEqual([])
})

it('each folder of tests is in the list of CONTRIBUTING.md, and has more than one file', () => {
  const folders = readdirSync('test', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const listed = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(
    ([, name]) => name,
  )
  expect(listed.sort()).toEqual(folders.sort())
  expect(folders.filter((folder) => filesBelow(join('test', folder)).length < 2)).toEqual([])
})

it('test doubles and what tests share are in test, not in src', () => {
  const onlyForTests = filesBelow('src').filter((file) => /\b(?:testing|doubles|fixtures|mocks)\b/.test(file))
  expect(onlyForTests).toEqual([])
})
