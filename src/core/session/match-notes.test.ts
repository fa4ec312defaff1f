import { expect, it } from 'vitest'
import { notePath } from '../vault/index.js'
import { matchNotes } from './match-notes.js'

const paths = ['Quince Jam.md', 'Files/quince.png', 'Files/plan.pdf', 'Files/quince.svg', 'song.mp3'].map((path) =>
  notePath(path),
)

it('text after an @ suggests notes, pictures and PDFs, and no other files', () => {
  expect(matchNotes('qui', paths).map(({ label }) => label)).toEqual(['Quince Jam', 'quince.png'])
  expect(matchNotes('plan', paths).map(({ label }) => label)).toEqual(['plan.pdf'])
  expect(matchNotes('song', paths)).toEqual([])
})
