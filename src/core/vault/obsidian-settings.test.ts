import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excludedInObsidian, trashOption } from './obsidian-settings.js'

describe('where deleted notes go', () => {
  it('is what Obsidian is set to, the system trash when it is set to nothing', () => {
    for (const option of ['system', 'local', 'none'] as const) {
      expect(trashOption(JSON.stringify({ trashOption: option, attachmentFolderPath: 'files' }))).toBe(option)
    }
    expect(trashOption('{}')).toBe('system')
    expect(trashOption('\uFEFF{"trashOption":"none"}')).toBe('none')
  })

  it('is the trash in the vault when the settings make no sense', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '"none"',
      '{"trashOption":',
      '{"trashOption":null}',
      '{"trashOption":["none"]}',
    ]) {
      expect(trashOption(text), text).toBe('local')
    }
    expect(trashOption('{"__proto__":{"trashOption":"none"}}')).toBe('system')
  })

  it('is never decided by anything but one of the three words', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(value !== 'system' && value !== 'none')
        expect(trashOption(JSON.stringify({ trashOption: value }))).toBe('local')
      }),
    )
  })
})

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

  it('are found in bounded time, whatever expression the settings name', () => {
    const path = `${'a'.repeat(200)}!.md`
    for (const filter of ['/^(a+)+$/', '/^(a|a)*$/', '/^(.*a){30}$/', '/(?=(a+)+$)b/'])
      expect(excluded([filter, 'Templates/'], path)).toBe(false)
    expect(excluded(['/^(a+)+$/', 'Templates/'], 'Templates/a.md')).toBe(true)
  })

  it('are none where the settings cannot be read, or name an expression that is none', () => {
    expect(excluded(['/(/', '', 7], 'a.md')).toBe(false)
    expect(excluded('Templates', 'Templates/a.md')).toBe(false)
    expect(excludedInObsidian('{')('a.md')).toBe(false)
    expect(excludedInObsidian('null')('a.md')).toBe(false)
  })
})
