#!/usr/bin/env node
// Plays `codex app-server` from a recording of the real one: it says what Codex said, once it has heard what Codex had
// heard before. What it hears is written to a file, for tests to look at. Anything out of order ends it.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { RECORDING, HEARD, DIES_AFTER, ONE_BY_ONE } = process.env
const script = readFileSync(RECORDING, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
writeFileSync(`${HEARD}.process`, JSON.stringify({ pid: process.pid, environment: process.env }))
/** Our ids of today, by those of the recording. */
const ids = new Map()
/** A call of a tool has no result yet. With ONE_BY_ONE the next one waits for that, as in code that waits for each. */
let isCalling = false

function say() {
  while (script.length > 0 && script[0].got) {
    const isCall = script[0].got.method === 'item/tool/call'
    if (isCall && isCalling && ONE_BY_ONE !== undefined) return
    isCalling ||= isCall
    const { got } = script.shift()
    const id = got.method === undefined ? ids.get(got.id) : got.id
    process.stdout.write(`${JSON.stringify({ ...got, ...(id !== undefined && { id }) })}\n`)
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const heard = JSON.parse(line)
  appendFileSync(HEARD, `${line}\n`)
  const at = script.findIndex(({ sent }) => sent)
  const expected = script[at]?.sent
  // Two results may arrive in any order; all other messages keep their order.
  if (expected === undefined || expected.method !== heard.method) {
    process.stderr.write(`Expected ${expected?.method ?? 'nothing'}, heard ${heard.method ?? 'an answer'}.\n`)
    process.exit(3)
  }
  if (heard.method !== undefined) ids.set(expected.id, heard.id)
  else isCalling = false
  script.splice(at, 1)
  if (DIES_AFTER !== undefined && DIES_AFTER === heard.method) process.exit(1)
  say()
})
process.stdin.on('end', () => process.exit(0))
