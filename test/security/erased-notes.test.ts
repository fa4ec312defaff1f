import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Floor, onFloor } from './floor.js'

/** Words that stand in the hidden notes alone, often enough to be in the semantic model too. */
const secret = ['canaryquartz', 'canaryzircon', 'canaryobsidian']
const secretNote = (at: number) => `# ${secret[0]} ${at}\n\n${secret.join(' ')} #${secret[1]} [[${secret[2]}]]\n`
const plainNote = (at: number) => `# Note ${at}\n\nRain fell on the garden ${at % 7} times, and word${at} grew.\n`

const files = Object.fromEntries([
  ...Array.from({ length: 60 }, (_, at) => [`Open/${at}.md`, plainNote(at)]),
  ...Array.from({ length: 4 }, (_, at) => [`Diary/${at}.md`, secretNote(at)]),
])

/** Files of the index, with the free pages in them, that have one of the words in any of the ways it is kept. */
function filesWithSecret(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .filter((file) => {
      const text = readFileSync(file, 'latin1').toLowerCase()
      return secret.some((word) => text.includes(word) || text.includes(word.slice(0, -2)))
    })
}

const hidings: [how: string, hide: (floor: Floor) => void][] = [
  [
    'made private',
    ({ put }) => {
      for (let at = 0; at < 4; at++) put(`Diary/${at}.md`, `---\nprivate: on\n---\n${secretNote(at)}`)
    },
  ],
  ['excluded', ({ put }) => put('.notewrightignore', 'Diary?/\nDiary/\n')],
  [
    'edited, and then made private',
    ({ put }) => {
      for (let at = 0; at < 4; at++) put(`Diary/${at}.md`, '---\nprivate: 1\n---\nNothing of it.\n')
    },
  ],
]

describe('the text of an erased note is in no file of the index', () => {
  it.each(hidings)('after the next run, when it was %s', async (_how, hide) => {
    await onFloor(files, async (floor) => {
      await floor.notebook.update()
      await floor.reopen()
      // Also what it said before.
      floor.put('Diary/0.md', `${secretNote(0)} and more of ${secret[0]}\n`)
      await floor.notebook.update()
      expect(filesWithSecret(floor.home)).not.toEqual([])
      hide(floor)
      await floor.reopen()
      await floor.notebook.update({ vectors: false })
      expect(await floor.tools.search_notes(secret[0])).toEqual([])
      await floor.notebook.close()
      expect(filesWithSecret(floor.home)).toEqual([])
      await floor.reopen()
      expect((await floor.tools.search_notes('garden rain')).length).toBeGreaterThan(0)
      await floor.notebook.update()
      expect(filesWithSecret(floor.home)).toEqual([])
    })
  })
})
