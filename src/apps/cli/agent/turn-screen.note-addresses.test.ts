import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Citation } from '../../../core/agent/index.js'
import { notePath } from '../../../core/vault/index.js'
import { noteAddresses } from './turn-screen.js'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'My notes & more ')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const cited = (path: string, heading?: string): Citation => ({
  path: notePath(path),
  raw: '',
  check: 'unquoted',
  ...(heading !== undefined && { heading }),
})

describe('the address of a note', () => {
  it('is the file in a folder that is no vault of Obsidian', () => {
    const address = noteAddresses(root)(cited('Größe/50% a#b?.md')) ?? ''
    expect(address).toMatch(/^file:\/\/\/[\x21-\x7e]+Gr%C3%B6%C3%9Fe\/50%25%20a%23b%3F\.md$/)
  })

  it('opens the note and its heading in Obsidian, with every character encoded that could end it', async () => {
    await mkdir(join(root, '.obsidian'))
    const address = noteAddresses(root)(cited('A & B;c.md', 'Why?\x1b\\')) ?? ''
    expect(address).toMatch(
      /^obsidian:\/\/open\?vault=My%20notes%20%26%20more%20\w+&file=A%20%26%20B%3Bc\.md%23Why%3F%1B%5C$/,
    )
  })

  it('is missing where no note was found', () => {
    expect(noteAddresses(root)({ raw: '[[Gone]]', check: 'missing' })).toBeUndefined()
  })
})
