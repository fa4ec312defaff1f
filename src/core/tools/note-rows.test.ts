import { describe, expect, it } from 'vitest'
import { noteRows, pathsInRows } from './note-rows.js'

describe('a list of notes', () => {
  it('names a folder once for the notes that follow each other in it', () => {
    const rows = ['Books/Dune.md', 'Books/Emma.md', 'Books/Old/Iliad.md', 'Books/Old/Odyssey.md', 'Inbox.md', 'Log.md']
    const lines = noteRows(rows.map((path) => ({ path, cells: ['x'] })))
    expect(lines).toEqual([
      'Books/',
      'Dune.md | x',
      'Emma.md | x',
      'Books/Old/',
      'Iliad.md | x',
      'Odyssey.md | x',
      '/',
      'Inbox.md | x',
      'Log.md | x',
    ])
    expect(pathsInRows(lines)).toEqual(rows)
  })

  it('has whole paths in an order that mixes folders', () => {
    const rows = ['A/x.md', 'B/y.md', 'A/z.md']
    expect(noteRows(rows.map((path) => ({ path })))).toEqual(rows)
    expect(pathsInRows(rows)).toEqual(rows)
    expect(noteRows([])).toEqual([])
  })
})
