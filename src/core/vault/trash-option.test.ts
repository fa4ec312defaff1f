import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trashOption } from './trash-option.js'

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
