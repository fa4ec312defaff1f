import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { editFrontmatter } from '../../../src/core/markdown/index.js'
import { changeSet, notePath } from '../../../src/core/vault/index.js'
import { nodeFiles } from '../../../src/hosts/node/files/node-files.js'
import { folderVault } from '../../../src/hosts/node/folder-vault/folder-vault.js'
import { faultyFiles } from '../../doubles/faulty-files.js'
import { encode, expectFailure, type Floor, onFloor, openFloor, scratchFolder, treeHash } from '../floor.js'
import type { Check } from '../security-case.js'

const linkers = Array.from({ length: 20 }, (_, at) => `links/l${at}.md`)
const notes = {
  'n.md': `---\nold: 1\n---\n${'n'.repeat(80_000 - 16)}\n`,
  'Hub.md': 'hub\n',
  ...Object.fromEntries(linkers.map((path) => [path, `${'x'.repeat(3000)} [[Hub]]\n`])),
}

const attempts: Record<string, (floor: Floor) => Promise<unknown>> = {
  'write_note of 240 000 bytes': ({ tools }) => tools.write_note('n.md', 'w'.repeat(240_000), { overwrite: true }),
  'write_note of a new note': ({ tools }) => tools.write_note('deep/new.md', 'w'.repeat(240_000)),
  update_frontmatter: ({ tools }) => tools.update_frontmatter('n.md', { added: 1 }),
  append: ({ tools }) => tools.append('n.md', 'more\n'),
  'rename with 20 link rewrites': ({ tools }) => tools.rename_note('Hub.md', 'Renamed.md'),
}

/** A real full disk where this process may mount one, else one that is full by its own word. */
export function fullDiskChecks(): Check[] {
  return canMount() ? mountedChecks() : injectedChecks()
}

function mountedChecks(): Check[] {
  const onVaultDisk = Object.entries(attempts).map(
    ([name, attempt]): Check => ({
      name: `${name} on a 1 MiB tmpfs with 40 KiB left: 'disk full', nothing changed, reads go on, works with space`,
      run: () =>
        onSmallDisk('vault', '1m', async (floor, disk) => {
          await floor.notebook.update()
          fill(disk, 40 << 10)
          const before = treeHash(floor.vault)
          const failure = await expectFailure('too-large', () => attempt(floor))
          expect(failure.message).toMatch(/^Disk full\. Nothing was changed/)
          expect(treeHash(floor.vault)).toBe(before)
          expect((await floor.tools.read_note('n.md')).size).toBe(80_000)
          expect(await floor.tools.list_backlinks('Hub.md')).toHaveLength(20)
          rmSync(join(disk, '.filler'), { recursive: true })
          await attempt(floor)
          expect((await floor.notebook.history())[0].state).toBe('applied')
        }),
    }),
  )
  return [
    ...onVaultDisk,
    {
      name: "write_note with the journal's disk full: 'disk full', nothing changed, reads go on, works with space",
      run: () =>
        onSmallDisk('home/state', '1m', async (floor, disk) => {
          await floor.notebook.update()
          fill(disk, 0)
          const before = treeHash(floor.vault)
          for (const [name, attempt] of Object.entries(attempts)) {
            const failure = await expectFailure('too-large', () => attempt(floor))
            expect(failure.message, name).toMatch(/^Disk full\. Nothing was changed/)
          }
          expect(treeHash(floor.vault)).toBe(before)
          expect((await floor.tools.read_note('n.md')).size).toBe(80_000)
          rmSync(join(disk, '.filler'), { recursive: true })
          await floor.tools.append('n.md', 'more\n')
        }),
    },
    {
      name: "index write with the index's disk full: told so, notes are read and written, caught up with space",
      run: () =>
        onSmallDisk('home/cache', '8m', async (floor, disk) => {
          await floor.notebook.update()
          fill(disk, 0)
          for (let at = 0; at < 400; at++) floor.put(`many/${at}.md`, `${`word${at} `.repeat(200)}\n`)
          expect((await expectFailure('too-large', () => floor.notebook.update())).message).toMatch(/^Disk full/)
          expect((await floor.tools.read_note('many/1.md')).size).toBeGreaterThan(1000)
          expect((await floor.tools.search_notes('hub')).length).toBeGreaterThan(0)
          rmSync(join(disk, '.filler'), { recursive: true })
          await floor.notebook.update()
          expect(await floor.tools.search_notes('word399')).toEqual(['many/399.md'])
        }),
    },
    {
      name: "a note written while the index's disk is full: reported as written, and found once there is space",
      run: () =>
        onSmallDisk('home/cache', '8m', async (floor, disk) => {
          await floor.notebook.update()
          fill(disk, 0)
          const text = Array.from({ length: 40_000 }, (_, at) => `w${at}`).join(' ')
          await floor.tools.write_note('kept.md', `zanzibar ${text}`)
          expect(floor.bytes('kept.md').length).toBeGreaterThan(200_000)
          expect(await floor.notebook.freshness()).toBe('catching up (1 left)')
          rmSync(join(disk, '.filler'), { recursive: true })
          await floor.notebook.update()
          expect(await floor.tools.search_notes('zanzibar')).toEqual(['kept.md'])
        }),
    },
  ]
}

/** Without the right to mount: every write call from the k-th on finds the disk full. */
function injectedChecks(): Check[] {
  return ['n.md', 'Hub.md'].map((path) => ({
    name: `writing ${path} on a disk that reports ENOSPC (no right to mount a small one): nothing changed, works again`,
    run: () =>
      onFloor(notes, async ({ vault, base, notebook }) => {
        await notebook.update()
        const files = faultyFiles(nodeFiles)
        const faulty = await folderVault({ root: vault, stateDir: join(base, 'faulty'), files })
        const before = treeHash(vault)
        const note = (await faulty.read(notePath(path)))!
        const after = encode(editFrontmatter(note.text, { set: { added: 1 } }))
        const plans = [
          async () => changeSet('Edit', [{ kind: 'edit', path: note.path, before: note.hash, after } as const]),
          async () => (await notebook.index.planMove('Hub.md', 'Renamed.md')).changeSet,
        ]
        for (const plan of plans) {
          files.fail({ at: 1, how: 'ENOSPC', only: ['write'] })
          const failure = await expectFailure('too-large', async () => faulty.apply(await plan()))
          expect(failure.message).toMatch(/^Disk full\. Nothing was changed/)
          expect(treeHash(vault)).toBe(before)
          expect((await faulty.read(notePath('n.md')))?.size).toBe(80_000)
        }
        files.fail(undefined)
        await faulty.apply(await plans[0]())
      }),
  }))
}

/** A floor, one folder of which is a small disk of its own. */
async function onSmallDisk(name: string, size: string, use: (floor: Floor, disk: string) => Promise<void>) {
  const base = scratchFolder()
  const disk = join(base, name)
  mkdirSync(disk, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
  try {
    const floor = await openFloor(base, notes)
    try {
      await use(floor, disk)
    } finally {
      await floor.notebook.close()
    }
  } finally {
    execFileSync('umount', ['-l', disk])
    rmSync(base, { recursive: true, force: true })
  }
}

/** Leaves so many bytes. The file is hidden from the vault by its name. */
export function fill(disk: string, left: number): void {
  mkdirSync(join(disk, '.filler'))
  for (let at = 0; ; at++) {
    const { bavail, bsize } = statfsSync(disk)
    const size = Math.min(64 << 10, bavail * bsize - left)
    if (size < bsize) return
    writeFileSync(join(disk, '.filler', `.${at}`), Buffer.alloc(size))
  }
}

export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = scratchFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
