import { describe, expect, it } from 'vitest'
import { excludedInObsidian } from './excluded-in-obsidian.js'

const excluded = (filters: unknown, path: string) =>
  excludedInObsidian(JSON.stringify({ userIgnoreFilters: filters }))(path)

describe("Obsidian's excluded files", () => {
  it('are those whose path begins with a filter, in any case', () => {
    expect(excluded(['Templates/'], 'templates/Day.md')).toBe(true)
    expect(excluded(['Templates/'], 'My Templates/Day.md')).toBe(false)
  })

  it('are those that an expression between slashes matches', () => {
    expect(excluded(['/\\.excalidraw\\.md$/'], 'a/Plan.excalidraw.md')).toBe(true)
    expect(excluded(['/^Archive/'], 'Archive.md')).toBe(true)
  })

  it('are none where the settings cannot be read, or name an expression that is none', () => {
    expect(excluded(['/(/', '', 7], 'a.md')).toBe(false)
    expect(excluded('Templates', 'Templates/a.md')).toBe(false)
    expect(excludedInObsidian('{')('a.md')).toBe(false)
    expect(excludedInObsidian('null')('a.md')).toBe(false)
  })
})
