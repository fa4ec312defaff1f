import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { libraryReference } from '../../scripts/library-reference.mjs'

it('describes every export of the library, as docs/reference/library.md says (npm run docs writes it)', () => {
  const text = libraryReference()
  expect(text).toBe(readFileSync('docs/reference/library.md', 'utf8'))
  const anchors = new Set([...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading.toLowerCase()))
  const linked = [...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor.replace(/-\d$/, ''))
  expect(linked.length).toBeGreaterThan(200)
  expect(linked.filter((anchor) => !anchors.has(anchor))).toEqual([])
  // It type-checks all of the sources.
}, 300_000)
