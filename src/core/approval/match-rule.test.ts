import { describe, expect, it } from 'vitest'
import { type MatchableNote, matchesNote, matchesSends } from './match-rule.js'
import { parseSelector } from './rules.js'

const note = (more: Partial<MatchableNote> = {}): MatchableNote => ({
  paths: ['Projects/Plan.md'],
  tags: ['Project/beta', 'draft'],
  properties: { Status: 'Done', people: ['Ada', 'Bob'], count: 3, nothing: null },
  isKnown: true,
  ...more,
})

describe('a selector', () => {
  it.each([
    // selector, exactly, widely
    ['folder:Projects', true, true],
    ['folder:projects', false, true],
    ['folder:Project', false, false],
    ['tag:#project', true, true],
    ['tag:project/beta', true, true],
    ['tag:proj', false, false],
    ['tag:#DRAFT', true, true],
    ['prop:Status=Done', true, true],
    ['prop:status=done', false, true],
    ['prop:people=Bob', true, true],
    ['prop:count=3', true, true],
    ['prop:Status', true, true],
    ['prop:missing', false, false],
    ['prop:nothing=', true, true],
    ['!folder:Projects', false, false],
    ['!folder:projects', false, true],
    ['!tag:#other', true, true],
  ])('%s: exactly %s, widely %s', (text, exactly, widely) => {
    expect(matchesNote(parseSelector(text), note(), 'exact')).toBe(exactly)
    expect(matchesNote(parseSelector(text), note(), 'wide')).toBe(widely)
  })

  it('takes a doubt for a match only where that restricts', () => {
    for (const text of ['tag:#x', 'prop:a=b', '!tag:#x', '!prop:a=b']) {
      const unknown = note({ isKnown: false })
      expect(matchesNote(parseSelector(text), unknown, 'wide')).toBe(true)
      expect(matchesNote(parseSelector(text), unknown, 'exact')).toBe(false)
    }
  })

  it('sees through a link: restricting by either place, allowing only by both', () => {
    const linked = note({ paths: ['Inbox/link/x.md', 'Journal/x.md'] })
    expect(matchesNote(parseSelector('Inbox/**'), linked, 'exact')).toBe(false)
    expect(matchesNote(parseSelector('Journal/**'), linked, 'exact')).toBe(false)
    expect(matchesNote(parseSelector('Journal/**'), linked, 'wide')).toBe(true)
  })

  it.each([
    ['https://example.org/a?b=c', true],
    ['https://sub.Example.ORG./', true],
    ['https://example.org@evil.test/', false],
    ['https://example.org.evil.test/', false],
    ['https://notexample.org/', false],
    ['https://evil.test/#example.org', false],
  ])('domain:example.org and %s: %s', (url, matches) => {
    expect(matchesSends(parseSelector('domain:example.org'), [{ url }], 'exact')).toBe(matches)
    expect(matchesSends(parseSelector('domain:example.org'), [{ url }], 'wide')).toBe(matches)
  })

  it('needs every address to allow and one to restrict', () => {
    const both = [{ url: 'https://example.org' }, { url: 'https://evil.test' }]
    expect(matchesSends(parseSelector('domain:example.org'), both, 'exact')).toBe(false)
    expect(matchesSends(parseSelector('domain:evil.test'), both, 'wide')).toBe(true)
    expect(matchesSends(parseSelector('domain:example.org'), [], 'exact')).toBe(false)
    expect(matchesSends(parseSelector('domain:example.org'), [{ url: 'no address' }], 'wide')).toBe(true)
    expect(matchesSends(parseSelector('domain:example.org'), [{ url: 'no address' }], 'exact')).toBe(false)
  })

  it('gives numbers no subdomains', () => {
    expect(matchesSends(parseSelector('domain:10.0.0.1'), [{ url: 'http://10.0.0.1/' }], 'exact')).toBe(true)
    expect(matchesSends(parseSelector('domain:0.0.1'), [{ url: 'http://10.0.0.1/' }], 'exact')).toBe(false)
  })
})
