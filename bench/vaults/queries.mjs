import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { noteFiles } from './note-files.mjs'
import { seededRandom } from './random.mjs'

const warmUps = 40
const measured = 200

/** Writes the two query files of a vault: one to three words of a title, and eight words in a row from a note. */
export function writeQueries(vault, folder) {
  const random = seededRandom(7)
  const files = noteFiles(vault)
  const write = (name, draw) => {
    const lines = []
    for (let number = 0; number < warmUps + measured; number++) {
      const id = number < warmUps ? `warm-${number}` : `${name}-${number - warmUps}`
      lines.push(JSON.stringify({ id, query: untilFound(() => draw(random.pick(files), random)) }))
    }
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return file
  }
  return { short: write('short', titleWords), long: write('long', eightWords) }
}

function titleWords(file, random) {
  const words = basename(file, '.md').match(/[\p{L}\p{N}]+/gu)
  if (words === null) return undefined
  const length = Math.min(words.length, random.between(1, 3))
  const first = random.between(0, words.length - length)
  return words.slice(first, first + length).join(' ')
}

function eightWords(file, random) {
  const text = readFileSync(file, 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/!?\[\[[^\]]*\]\]|\]\([^)]*\)/g, ' ')
  // Chinese has no spaces between words; sixteen characters are about eight words.
  const han = text.match(/\p{Script=Han}{16,}/gu)
  if (han !== null) return random.pick(han).slice(0, 16)
  const words = text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu)
  if (words === null || words.length < 8) return undefined
  const first = random.between(0, words.length - 8)
  return words.slice(first, first + 8).join(' ')
}

function untilFound(draw) {
  for (;;) {
    const found = draw()
    if (found !== undefined) return found
  }
}
