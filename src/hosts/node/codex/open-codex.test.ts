import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findCodex } from './open-codex.js'

async function folderWithCodex(mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notewright-path-'))
  await writeFile(join(folder, 'codex'), '#!/bin/sh\n')
  await chmod(join(folder, 'codex'), mode)
  return folder
}

it('finds the first codex on PATH that can be run', async () => {
  const [first, second] = [await folderWithCodex(0o644), await folderWithCodex(0o755)]
  expect(await findCodex({ PATH: `${first}:${second}` })).toBe(join(second, 'codex'))
})

it('uses the one in the settings, also relative to the home folder', async () => {
  const home = await folderWithCodex(0o755)
  expect(await findCodex({ PATH: '', HOME: home }, '~/codex')).toBe(join(home, 'codex'))
})

it('does not look into the current folder, which may be a vault', async () => {
  await expect(findCodex({ PATH: '.:' })).rejects.toThrow('Codex is not installed.')
})

it('reports where it looked when none is found', async () => {
  await expect(findCodex({ PATH: '' }, '/nowhere/codex')).rejects.toThrow('Codex not found at /nowhere/codex')
})
