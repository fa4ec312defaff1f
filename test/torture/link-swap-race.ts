import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../src/core/errors.js'
import { type Change, changeSet, type JournaledVault, type NotePath, notePath } from '../../src/core/vault/index.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { allFiles, exited, newGround, type Row, startChild } from './torture.js'

/** Another process swaps a folder for a link to the outside. Nothing outside may be read or changed through it. */
export async function linkSwapRace(seconds: number): Promise<Row> {
  const { base, root, stateDir } = newGround()
  const outside = join(base, 'outside')
  for (const folder of [root, join(root, 'f'), outside]) mkdirSync(folder)
  for (const name of ['a.md', 'b.md', 'c.md']) {
    writeFileSync(join(root, 'f', name), `inside ${name}`)
    writeFileSync(join(outside, name), 'CANARY')
  }
  const before = fingerprint(outside)
  const vault = await folderVault({ root, stateDir })
  const child = await startChild(['swap', root, outside])
  const counts = { reads: 0, writes: 0, refused: 0, errors: 0 }
  let losses = 0
  const until = Date.now() + seconds * 1000
  for (let turn = 0; Date.now() < until; turn++) {
    try {
      if (turn % 4 !== 0) {
        const note = await vault.read(notePath(`f/${'abc'[turn % 3]}.md`))
        if (note?.text.includes('CANARY')) losses++
        counts.reads++
        for (const { path, size } of turn % 10 === 1 ? await vault.files() : []) {
          if (path.startsWith('f/') && size === 'CANARY'.length) losses++
        }
      } else {
        await vault.apply(changeSet('Race', [await someChange(vault, turn)]))
        counts.writes++
      }
    } catch (error) {
      if (error instanceof Failure) counts.refused++
      else counts.errors++
    }
  }
  if (child.exitCode !== null) throw new Error('the swapping process ended early')
  child.kill('SIGKILL')
  await exited(child)
  if (fingerprint(outside) !== before) losses++
  rmSync(base, { recursive: true, force: true })
  return { name: 'link swapped in for a folder', trials: counts.reads + counts.writes, losses, notes: counts }
}

async function someChange(vault: JournaledVault, turn: number): Promise<Change> {
  const path = `f/${'abc'[turn % 3]}.md` as NotePath
  const note = await vault.read(path)
  const fresh = Buffer.from(`inside, turn ${turn}`)
  if (note === undefined) return { kind: 'create', path, after: fresh }
  const before = note.hash
  switch ((turn >> 2) % 4) {
    case 0:
      return { kind: 'create', path: `f/new ${turn}.md` as NotePath, after: fresh }
    case 1:
      return { kind: 'edit', path, before, after: fresh }
    case 2:
      return { kind: 'trash', path, before }
    default:
      return { kind: 'move', path, before, to: `f/moved ${turn}.md` as NotePath }
  }
}

function fingerprint(folder: string): string {
  return JSON.stringify([...allFiles(folder)].sort().map(([path, bytes]) => [path, bytes.toString()]))
}
