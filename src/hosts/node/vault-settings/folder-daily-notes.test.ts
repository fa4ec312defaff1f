import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderDailyNotes } from './folder-daily-notes.js'

const usual = { folder: '', format: 'YYYY-MM-DD' }
const secret = '{"folder":"Secret"}'

describe('daily-note settings', () => {
  let base: string
  let root: string
  const put = (json: string) => writeFileSync(join(root, '.obsidian/daily-notes.json'), json)

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'notewright-settings-'))
    root = join(base, 'vault')
    mkdirSync(join(root, '.obsidian'), { recursive: true })
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  it('are read from the vault, as they are at that moment', async () => {
    put('\ufeff{"folder":"/Journal/Daily/","format":"YYYY/MM/DD","template":"Templates/Day","autorun":true}')
    expect(await folderDailyNotes(root)).toEqual({
      folder: 'Journal/Daily',
      format: 'YYYY/MM/DD',
      template: 'Templates/Day',
    })
    put('{}')
    expect(await folderDailyNotes(root)).toEqual(usual)
  })

  it('are Obsidian’s defaults where nothing is set', async () => {
    expect(await folderDailyNotes(root)).toEqual(usual)
    rmSync(join(root, '.obsidian'), { recursive: true })
    expect(await folderDailyNotes(root)).toEqual(usual)
    expect(await folderDailyNotes(join(base, 'no vault'))).toEqual(usual)
  })

  it.each([
    '{"folder":"","format":"","template":""}',
    '{"folder":7,"format":["x"],"template":{}}',
    '{"folder":"../outside","format":" ","template":"/../../etc/passwd"}',
    '{"folder":".obsidian/plugins","template":".git/config"}',
    '{"folder":"a\\u0000b","format":"a\\nb","template":"C:\\\\x"}',
    `{"folder":"${'a'.repeat(2000)}","format":"${'Y'.repeat(300)}"}`,
    '{"__proto__":{"folder":"x"}}',
    '["folder"]',
    'null',
    '{"folder":',
    '',
  ])('pass over what is absurd: %s', async (json) => {
    put(json)
    expect(await folderDailyNotes(root)).toEqual(usual)
  })

  it.each<[string, () => void]>([
    [
      'a link out of the vault',
      () => {
        writeFileSync(join(base, 'daily-notes.json'), secret)
        symlinkSync(join(base, 'daily-notes.json'), join(root, '.obsidian/daily-notes.json'))
      },
    ],
    [
      'a folder that is a link out of the vault',
      () => {
        rmSync(join(root, '.obsidian'), { recursive: true })
        mkdirSync(join(base, 'elsewhere'))
        writeFileSync(join(base, 'elsewhere/daily-notes.json'), secret)
        symlinkSync(join(base, 'elsewhere'), join(root, '.obsidian'))
      },
    ],
    ['a folder', () => mkdirSync(join(root, '.obsidian/daily-notes.json'))],
    ['a pipe', () => execFileSync('mkfifo', [join(root, '.obsidian/daily-notes.json')])],
    ['a huge file', () => put(`${secret}${' '.repeat(1 << 17)}`)],
  ])('are not read from %s', async (_, make) => {
    make()
    expect(await folderDailyNotes(root)).toEqual(usual)
  })
})
