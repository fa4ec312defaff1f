// Measures the reader of tool calls in text. `--only speed,fuzz,peer` runs parts, `--fuzz N` sets the number of cases.
// `--only talk` fuzzes replies that only talk about calls, all of them on that.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'
import { compareWithPeer } from './compare.mjs'
import { fuzz, fuzzTalk } from './fuzz.mjs'
import { measureSpeed } from './speed.mjs'

const words = process.argv.slice(2)
const optionValue = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
const parts = (optionValue('--only') ?? 'cases,speed,peer,fuzz,talk').split(',')
const fuzzCases = Number(optionValue('--fuzz') ?? 1_000_000)

const ours = await bundled(
  'src/core/dialects/index.ts',
  'test/dialects/toolcall-case.ts',
  'test/dialects/reader-properties.ts',
  'test/dialects/talk-of-calls.ts',
)
const cases = ['toolcall-cases.jsonl', 'family-cases.jsonl'].flatMap((name) =>
  ours.parseCases(readFileSync(join(repository, 'test/cases', name), 'utf8')),
)
const failures = []
const check = (text, holds) => {
  console.log(`${holds ? 'holds ' : 'FAILS '} ${text}`)
  if (!holds) failures.push(text)
}

if (parts.includes('cases')) {
  console.log('\n## Cases\n')
  for (const level of ['must', 'should']) {
    const wanted = cases.filter((example) => example.level === level)
    const passed = wanted.filter((example) => passes(example))
    check(`${level}: ${passed.length} of ${wanted.length}`, passed.length === wanted.length)
  }
}
if (parts.includes('speed')) await measureSpeed(ours, check)
if (parts.includes('peer')) await compareWithPeer(ours, cases, check)
if (parts.includes('fuzz')) fuzz(ours, cases, fuzzCases, check)
if (parts.includes('talk')) fuzzTalk(ours, cases, fuzzCases, check)
process.exitCode = failures.length > 0 ? 1 : 0

function passes(example) {
  const reply = ours.readReply([example.text], ours.optionsOf(example))
  return JSON.stringify(sorted(ours.outcomeOf(reply, example))) === JSON.stringify(sorted(ours.expectationOf(example)))
}

/** The same value with its keys in order, for comparing. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}
