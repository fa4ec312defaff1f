import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../run-program.js'
import { reasons } from './reasons.js'

interface Linted {
  filePath: string
  messages: { ruleId: string | null; severity: 1 | 2; line: number; message: string }[]
}

const folder = 'test/peers/obsidian-lint'
const sources = ['src/core', 'src/ui', 'src/hosts/obsidian', 'src/apps/obsidian']

it("keeps the review rules of Obsidian's plugins: no error, and no warning without a reason", async () => {
  const eslint = join(folder, 'node_modules/eslint/bin/eslint.js')
  const config = join(folder, 'eslint.config.mjs')
  const { stdout, stderr } = await runProgram(process.execPath, [eslint, '-c', config, '-f', 'json', ...sources])
  if (stdout === '') throw new Error(stderr)
  const files = JSON.parse(stdout) as Linted[]
  expect(files.length).toBeGreaterThan(300)
  const told = files.flatMap(({ filePath, messages }) => {
    const file = relative('.', filePath).replaceAll('\\', '/')
    return messages.map((message) => ({ file, ...message }))
  })
  const isExplained = ({ file, ruleId, severity }: (typeof told)[number]) =>
    severity === 1 && reasons.some(({ rule, files }) => rule === ruleId && files.test(file))
  const left = told.filter((each) => !isExplained(each))
  expect(left.map(({ file, line, ruleId, message }) => `${file}:${line} ${ruleId}: ${message}`)).toEqual([])
  const idle = reasons.filter(({ rule, files }) => !told.some((each) => each.ruleId === rule && files.test(each.file)))
  expect(idle).toEqual([])
  // One process looks at every file with its types: a minute of a processor that others use as well.
}, 600_000)
