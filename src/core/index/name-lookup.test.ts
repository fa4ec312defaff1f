import fc from 'fast-check'
import { expect, it } from 'vitest'
import { notePath } from '../vault/index.js'
import { nearNotes, noteNotFound } from './name-lookup.js'

const files = ['Garden/Tomatoes.md', 'Garden/Compost.md', 'Home.md', 'Kitchen/Tomato soup.md', 'Tomatos.png'].map(
  notePath,
)

it.each([
  ['Tomatos', ['Garden/Tomatoes.md']],
  ['garden/compst.md', ['Garden/Compost.md']],
  ['soup', ['Kitchen/Tomato soup.md']],
  ['Elsewhere/home', ['Home.md']],
  ['Quantum chromodynamics', []],
  ['', []],
])('takes %s for %j', (wanted, near) => expect(nearNotes(wanted, files)).toEqual(near))

it('suggests similar notes, or how to find one', () => {
  expect(noteNotFound('Tomatos', files)).toMatchObject({
    message: 'Note not found: Tomatos',
    details: { hint: 'Did you mean Garden/Tomatoes.md?' },
  })
  expect(noteNotFound('Quantum', files).details.hint).toBe('Search for it.')
})

it('suggests a note whose name was typed with one letter wrong, missing or doubled', () => {
  fc.assert(
    fc.property(fc.constantFrom('Tomatoes', 'Compost'), fc.nat(6), fc.constantFrom('', 'x', 'oo'), (name, at, slip) => {
      const typed = name.slice(0, at) + slip + name.slice(at + 1)
      expect(nearNotes(typed, files)[0]).toBe(`Garden/${name}.md`)
    }),
  )
})

it('suggests the right note among many', () => {
  const many = Array.from({ length: 50_000 }, (_, at) => notePath(`Folder ${at % 99}/Note about ${at} things.md`))
  expect(nearNotes('Note about 12345 thigns', many)).toContain(many[12_345])
})
