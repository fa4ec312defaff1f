import { describe, expect, it } from 'vitest'
import { notePath } from '../vault/index.js'
import { audienceChanges } from './call-facts.js'

const withProperties = (yaml: string) => (yaml === '' ? 'Text.\n' : `---\n${yaml}\n---\nText.\n`)
const changes = (before: string | undefined, after: string) =>
  audienceChanges({
    path: notePath('A.md'),
    ...(before !== undefined && { before: withProperties(before) }),
    after: withProperties(after),
  })
const moves = (from: string, to: string) =>
  audienceChanges({ path: notePath(to), movedFrom: notePath(from), before: 'x', after: 'x' })

describe('a change of who can see a note', () => {
  it.each([
    ['title: a', 'title: a\npublish: true'],
    ['title: a\npublish: false', 'title: a\npublish: true'],
    ['title: a', 'title: a\nPublish: yes'],
    ['title: a', 'title: a\ndg-publish: true'],
    ['title: a\nprivate: maybe', 'title: a'],
    ['title: a\nprivate: maybe', 'title: a\nprivate: false'],
    ['title: a\ndraft: true', 'title: a\ndraft: false'],
    ['title: a\npublished: false', 'title: a\npublished: true'],
    ['title: a\npermalink: one', 'title: a\npermalink: two'],
    ['title: a\nvisibility: team', 'title: a\nvisibility: public'],
    ['title: a', ''],
    ['title: a\ntags: [b]', 'a: [b'],
    [undefined, 'publish: true'],
    [undefined, 'visibility: public'],
  ])('is said: %j to %j', (before, after) => {
    expect(changes(before, after)).toHaveLength(1)
  })

  it.each([
    ['title: a', 'title: b'],
    ['title: a\npublish: true', 'title: b\npublish: true'],
    ['title: a', 'title: a\npublished: 2024-01-31'],
    ['', 'title: a'],
    ['', ''],
    [undefined, ''],
    [undefined, 'publish: false\ndraft: true'],
  ])('is nothing else: %j to %j', (before, after) => {
    expect(changes(before, after)).toEqual([])
  })

  it('is a move into or out of a folder that says so, and no other move', () => {
    expect(moves('A.md', 'Public/A.md')).toHaveLength(1)
    expect(moves('Private/A.md', 'A.md')).toHaveLength(1)
    expect(moves('_drafts/A.md', 'Posts/A.md')).toHaveLength(1)
    expect(moves('Public/A.md', 'Public/B.md')).toEqual([])
    expect(moves('Garden/A.md', 'Kitchen/A.md')).toEqual([])
    expect(moves('Publications/A.md', 'A.md')).toEqual([])
  })

  it('is a new note in a folder that others see', () => {
    expect(audienceChanges({ path: notePath('site/public/A.md'), after: 'x' })).toHaveLength(1)
    expect(audienceChanges({ path: notePath('Private/A.md'), after: 'x' })).toEqual([])
  })
})
