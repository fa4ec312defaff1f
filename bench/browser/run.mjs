// `node bench/browser/run.mjs [notes]`: an index made in a Web Worker of Chromium, whose page has the vault, against the
// same work in this process. Fails when it takes more than half as long again, when the page stands still for more than
// 50 ms, or when any of 200 answers differs.

import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'

const folder = join(repository, 'test', 'core-alone')
const { indexedHere, indexedInChromium, madeUpNotes } = await bundled(
  'test/core-alone/indexed-in-chromium.ts',
  'test/core-alone/indexed-notes.ts',
  'test/samples/made-up-notes.ts',
)
const count = Number(process.argv[2] ?? 6500)
const { notes, queries } = madeUpNotes(count)
const here = await indexedHere(notes, queries)
const there = await indexedInChromium(folder, notes, queries)

const bytes = Object.values(notes).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
// As text: a number that differs in its last bit is written differently.
const differing = there.answers.filter(
  (answer, at) => JSON.stringify(answer) !== JSON.stringify(here.answers[at]),
).length
const ratio = there.ms / here.ms
console.log(`${count} notes, ${(bytes / 1e6).toFixed(1)} MB`)
console.log(`Node, memory store             ${here.ms.toFixed(0)} ms`)
console.log(`Chromium, page and worker      ${there.ms.toFixed(0)} ms   ${ratio.toFixed(2)}x, at most 1.5`)
console.log(`tasks of the page over 50 ms   ${there.longTasks.map((ms) => ms.toFixed(0)).join(', ') || 'none'}`)
console.log(`answers that differ            ${differing} of ${queries.length}`)
if (ratio > 1.5 || there.longTasks.length > 0 || differing > 0) process.exitCode = 1
