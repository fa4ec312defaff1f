import { describe, expect, it } from 'vitest'
import { citationLink, quotableTexts } from './tool-results.js'

describe('sourcesIn', () => {
  it('marks a note that was read through a link, but not a hit that was read in full', () => {
    const found = { path: 'Beds/Tomatoes.md', title: 'Tomatoes', chunk: 'See [[Late Blight]].', score: 0.4 }
    const read = (name: string, path: string) => ({
      name: 'read_note',
      input: { path: name },
      text: `[${path}, lines 1-2 of 2]\nCopper helps.\n`,
      isError: false,
    })
    const results = [
      { name: 'search_notes', text: JSON.stringify([found]), isError: false },
      read('Beds/Tomatoes.md', 'Beds/Tomatoes.md'),
      read('[[Late Blight]]', 'Garden/Late Blight.md'),
    ]
    const followed = quotableTexts(results).filter(({ isFollowed }) => isFollowed)
    expect(followed).toMatchObject([{ path: 'Garden/Late Blight.md', title: 'Late Blight', text: 'Copper helps.\n' }])
  })
})

describe('citationLink', () => {
  it('is a wikilink where one can hold the name, else a Markdown link', () => {
    expect(citationLink('Garden/Slugs.md', 'What works')).toBe('[[Garden/Slugs#What works]]')
    expect(citationLink('Slugs.md', 'A: b #c')).toBe('[[Slugs#A b c]]')
    // Links and code in a heading would make a link nobody can read.
    expect(citationLink('Slugs.md', 'A [b](https://b.example)')).toBe('[[Slugs]]')
    expect(citationLink('C# (notes).md', 'x')).toBe('[C# (notes)](C%23%20%28notes%29.md#x)')
  })
})
