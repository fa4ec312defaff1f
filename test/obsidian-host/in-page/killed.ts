import type { Notebook } from '../../../src/core/index/index.js'
import { type ChangeSet, changeSet, hashBytes, notePath } from '../../../src/core/vault/index.js'
import type { Found, Moments, Step, Work } from '../killed.js'

/** Works with the released plugin, and dies at a moment that the test has chosen. */

interface Opened {
  ready: Promise<void>
  vault: { notebook: Notebook }
}

type AskFolder = (vault: string, name: string, args: unknown[]) => Promise<unknown>

interface Here {
  host: { plugin: { opened(): Promise<Opened> }; notices: string[] }
  askFolder: AskFolder
  /** Tells the test to end this process. */
  die(): void
  dieAfter(moments: Moments): void
  work(work: Work): Promise<void>
  /** `anew` checks an index built from nothing. */
  lookAround(words: readonly string[], anew?: boolean): Promise<Found>
}

const here = globalThis as unknown as Here
let left = Number.POSITIVE_INFINITY
let isTorn = false
let counted: readonly string[] = []
let isDead = false

const never = () => new Promise<never>(() => {})

/** Whether this is the one. From then on nothing more reaches the disk or the database. */
function isLast(): boolean {
  if (!isDead && left-- > 0) return false
  if (!isDead) here.die()
  isDead = true
  return true
}

here.dieAfter = (moments) => {
  left = moments.after
  isTorn = moments.torn
  counted = moments.counted
}

const askFolder = here.askFolder
here.askFolder = async (vault, name, args) => {
  if (isDead) return never()
  if (!counted.includes(name) || !isLast()) return askFolder(vault, name, args)
  if (isTorn && name === 'write') {
    const [path, base64] = args as [string, string]
    const bytes = atob(base64)
    await askFolder(vault, name, [path, btoa(bytes.slice(0, bytes.length / 2))])
  }
  return never()
}

const begin = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (stores, mode, options) {
  if (isDead || (mode === 'readwrite' && counted.includes('database') && isLast()))
    throw new Error('This page is dying.')
  return begin.call(this, stores, mode, options)
}

/** In the worker, before the plugin's own code: counts transactions that write and each row in them, and stands still at the last. */
const dyingWorker = (moments: number) => `{
  let left = ${moments}
  const dying = new BroadcastChannel('dying')
  const count = () => {
    if (left-- > 0) return
    dying.postMessage('now')
    for (;;);
  }
  const begin = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    if (mode === 'readwrite') count()
    return begin.call(this, stores, mode, options)
  }
  for (const name of ['put', 'add', 'delete', 'clear']) {
    const change = IDBObjectStore.prototype[name]
    IDBObjectStore.prototype[name] = function (...values) {
      count()
      return change.apply(this, values)
    }
  }
}
`
new BroadcastChannel('dying').onmessage = () => {
  if (!isDead) here.die()
  isDead = true
}
const { createObjectURL } = URL
URL.createObjectURL = (blob) => {
  const isWorker = blob instanceof Blob && blob.type === 'text/javascript' && counted.includes('worker')
  return createObjectURL(isWorker ? new Blob([dyingWorker(left), blob], { type: blob.type }) : blob)
}

here.work = async ({ title, steps, anew }) => {
  const { vault, ready } = await here.host.plugin.opened()
  await ready
  if (anew) await makeIndex(vault.notebook)
  if (steps.length > 0) await vault.notebook.apply(planned(title, steps))
}

async function makeIndex(notebook: Notebook): Promise<void> {
  // Work that is still running since the start belongs to an earlier worker.
  const moments = counted
  counted = []
  await notebook.update({ vectors: true })
  counted = moments
  await notebook.rebuild({ vectors: true })
}

const encode = (text: string) => new TextEncoder().encode(text)

function planned(title: string, steps: readonly Step[]): ChangeSet {
  return changeSet(
    title,
    steps.map((step) => {
      const path = notePath(step.path)
      const before = hashBytes(encode(step.before ?? ''))
      if (step.kind === 'move') return { kind: 'move', path, to: notePath(step.to), before }
      if (step.kind === 'trash') return { kind: 'trash', path, before }
      if (step.kind === 'append') return { kind: 'append', path, added: encode(step.added) }
      if (step.kind === 'create') return { kind: 'create', path, after: encode(step.after) }
      return { kind: 'edit', path, before, after: encode(step.after) }
    }),
  )
}

here.lookAround = async (words, anew = false) => {
  const { vault, ready } = await here.host.plugin.opened()
  await ready
  const { notebook } = vault
  await (anew ? notebook.rebuild({ vectors: false }) : notebook.update({ vectors: false }))
  const history = await notebook.history({ limit: 3 })
  const hits: Found['hits'] = {}
  for (const word of words) {
    const { hits: found } = await notebook.index.search({ query: word, limit: 5 })
    hits[word] = found.map(({ path, score }) => [path, score])
  }
  const notes = await notebook.index.notes()
  const links = await Promise.all(notes.map(({ path }) => notebook.index.linksFrom(path)))
  return {
    states: history.map(({ title, state, unsettled }) => ({ title, state, ...(unsettled && { unsettled }) })),
    notes: notes.map(({ path }) => path),
    links: links.flatMap((some) => some.map(({ source, target }) => `${source} ${target ?? '-'}`)).sort(),
    hits,
    notices: here.host.notices,
  }
}
