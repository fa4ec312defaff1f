import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { floors } from './floors.js'
import { type CaseChecks, readSecurityCases } from './security-case.js'

interface Listed {
  name: string
  file: string
  projectName: string
}

/** The tests that the runner finds in the files that run cases, each file in one project. */
function listedTests(): Listed[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('describeCases('))
  const runner = resolve('node_modules/vitest/vitest.mjs')
  // Not as part of this run.
  const { VITEST: _, NODE_ENV: __, NOTEWRIGHT_TESTS: ___, ...env } = process.env
  const projects = ['--project', 'quick', '--project', 'slow']
  const args = [runner, 'list', '--json', ...projects, ...files]
  const listed: Listed[] = JSON.parse(`${execFileSync(process.execPath, args, { env, maxBuffer: 1 << 26 })}`)
  const project = new Map(listed.map(({ file, projectName }) => [file, projectName]))
  return listed.filter(({ file, projectName }) => project.get(file) === projectName)
}

it('a test runs every check of every line of the security cases', () => {
  const tests = listedTests()
  const counts = readSecurityCases().map((example) => {
    const demanded = Object.values(floors).flatMap((cases) => {
      const checks = (cases as CaseChecks)[example.id]?.(example)
      // One more says that there are enough of them.
      return checks === undefined ? [] : [checks.length + 1]
    })
    const title = `${example.id} ${example.action}`
    const run = tests.filter(({ name }) => name.includes(` > ${title} > `)).length
    return { id: example.id, demanded: demanded.reduce((sum, count) => sum + count, 0), run }
  })
  expect(counts.filter(({ demanded, run }) => demanded === 0 || demanded !== run)).toEqual([])
})
