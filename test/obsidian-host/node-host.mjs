// Plain JavaScript, as the code of the app is compiled with a browser's types and this runs in Node.
import { obsidianVault } from '../../src/hosts/obsidian/vault/obsidian-vault.js'
import { Vault } from './app/vault.ts'

export function memoryObsidian() {
  const files = new Map()
  const folders = new Set()
  const stores = { rows: new Map(), images: new Map() }

  return {
    files,
    calls: { ...diskCalls(files, folders), ...databaseCalls(stores) },
    async open(calls) {
      const vault = new Vault({ ...calls }, 'garden')
      const app = {
        vault,
        workspace: { iterateAllLeaves: () => undefined },
        fileManager: {
          async trashFile(file) {
            const { trashOption } = JSON.parse(await vault.adapter.read('.obsidian/app.json'))
            if (trashOption === 'none') await vault.delete(file)
            else await vault.adapter.trashLocal(file.path)
          },
        },
      }
      await vault.reconcile()
      const database = { look: calls.look, change: calls.change, close: () => undefined }
      return {
        vault: await obsidianVault(app, { id: 'garden', database }),
        reconcile: () => vault.reconcile(),
      }
    },
  }
}

/** Every call has done its work when it returns its promise. */
function diskCalls(files, folders) {
  let clock = 0
  const times = new WeakMap()
  const timeOf = (bytes) => {
    if (!times.has(bytes)) times.set(bytes, ++clock)
    return times.get(bytes)
  }
  const isFolder = (path) => folders.has(path) || [...files.keys()].some((file) => file.startsWith(`${path}/`))
  const entryAt = (path) => {
    const bytes = files.get(path)
    if (bytes !== undefined) return { path, kind: 'file', size: bytes.length, mtime: timeOf(bytes), ctime: 1 }
    return path !== '' && isFolder(path) ? { path, kind: 'folder', size: 0, mtime: 1, ctime: 1 } : undefined
  }
  const paths = () => [...new Set([...folders, ...[...files.keys()].flatMap((file) => [file, ...foldersAbove(file)])])]
  const mustHave = (path) => {
    if (!files.has(path)) throw new Error(`ENOENT: no such file or directory, open '${path}'`)
    return files.get(path)
  }
  const calls = {
    entry: entryAt,
    everything: () =>
      paths()
        .filter((path) => !/(?:^|\/)\./.test(path))
        .map(entryAt),
    list: (path) =>
      paths()
        .filter((one) => folderOf(one) === path)
        .map(entryAt),
    read: (path) => mustHave(path).slice(),
    write: (path, bytes) => void files.set(path, bytes.slice()),
    writeFromOutside: (path, bytes) => void files.set(path, bytes.slice()),
    makeFolder: (path) => void [path, ...foldersAbove(path)].map((each) => folders.add(each)),
    rename(path, to) {
      if (path.toLowerCase() !== to.toLowerCase() && entryAt(to)) throw new Error('Destination file already exists!')
      files.set(to, mustHave(path))
      files.delete(path)
    },
    remove(path) {
      mustHave(path)
      files.delete(path)
    },
    removeFolder: (path) => void folders.delete(path),
    trashOutside: (path) => void files.delete(path),
  }
  return Object.fromEntries(Object.entries(calls).map(([name, work]) => [name, async (...args) => work(...args)]))
}

/** As much of IndexedDB as the journal uses. A transaction that throws changes nothing. */
function databaseCalls(stores) {
  let keys = 0
  async function run(names, work) {
    const kept = Object.fromEntries(names.map((name) => [name, new Map(stores[name])]))
    const answer = await work((name) => storeOn(kept[name], () => ++keys))
    return { kept, answer }
  }
  return {
    look: async (names, work) => (await run(names, work)).answer,
    async change(names, work) {
      const { kept, answer } = await run(names, work)
      Object.assign(stores, kept)
      return answer
    },
  }
}

function storeOn(rows, nextKey) {
  const request = (result) => {
    const made = { result }
    queueMicrotask(() => made.onsuccess?.())
    return made
  }
  return {
    add: (row) => request(void rows.set(nextKey(), structuredClone(row))),
    put: (value, key) => request(void rows.set(key, value)),
    get: (key) => request(rows.get(key)),
    getAll: () => request([...rows.values()].map((row) => structuredClone(row))),
    getAllKeys: () => request([...rows.keys()]),
    delete: (key) => request(void rows.delete(key)),
    openCursor() {
      const left = [...rows]
      const made = {}
      const next = () => {
        const found = left.shift()
        made.result = found
          ? { key: found[0], value: found[1], delete: () => rows.delete(found[0]), continue: next }
          : null
        queueMicrotask(() => made.onsuccess?.())
      }
      next()
      return made
    },
  }
}

const folderOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function foldersAbove(path) {
  const folder = folderOf(path)
  return folder === '' ? [] : [folder, ...foldersAbove(folder)]
}
