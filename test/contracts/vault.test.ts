import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { memoryVault } from '../../src/core/vault/index.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { memoryFiles } from '../doubles/memory-files.js'
import { describeVault, encode } from './vault/index.js'

const folders: string[] = []

describeVault('memoryVault', async (files, exclude) => {
  const vault = memoryVault({ files, exclude })
  return {
    vault,
    write: vault.write,
    remove: vault.remove,
    snapshot: async () => withoutRules(vault.snapshot()),
  }
})

describeVault('folderVault on a disk in memory', async (initial, exclude) => {
  const files = memoryFiles()
  const write = (path: string, content: string | Uint8Array) =>
    files.put(`/vault/${path}`, typeof content === 'string' ? encode(content) : content)
  files.put('/vault/.keep', encode(''))
  files.erase('/vault/.keep')
  files.put('/state/.keep', encode(''))
  for (const [path, content] of Object.entries(initial)) write(path, content)
  return {
    vault: await folderVault({ root: '/vault', stateDir: '/state/v', files, exclude }),
    write,
    remove: (path) => files.erase(`/vault/${path}`),
    snapshot: async () => withoutRules(files.tree('/vault')),
  }
})

describeVault('folderVault', async (initial, exclude) => {
  const base = mkdtempSync(join(tmpdir(), 'notewright-'))
  folders.push(base)
  const root = join(base, 'vault')
  mkdirSync(root)
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(initial)) write(path, content)
  return {
    vault: await folderVault({ root, stateDir: join(base, 'state'), exclude }),
    write,
    remove: (path) => rmSync(join(root, path)),
    snapshot: async () => withoutRules(treeOf(root)),
  }
})

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function treeOf(root: string): Map<string, Uint8Array> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name).slice(root.length + 1))
    .sort()
  return new Map(paths.map((path) => [path, new Uint8Array(readFileSync(join(root, path)))]))
}

function withoutRules(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...files].filter(([path]) => path !== '.notewrightignore').sort(([a], [b]) => (a < b ? -1 : 1)))
}
