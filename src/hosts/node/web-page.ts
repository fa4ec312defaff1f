import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../core/errors.js'
import { isRecord } from '../../core/is-record.js'
import { nodeFiles } from './files/node-files.js'
import { isInsideVault } from './keys.js'
import { withLock } from './lock/lock.js'
import { privateFolder, vaultId } from './state-folders.js'

/** A browser that is signed in to the web page. */
export type SignedInBrowser = Omit<StoredBrowser, 'hash'>

/** The browsers that may use the web page. Each has a credential of its own, which can be revoked. */
export interface BrowserLogins {
  /** Signs a browser in to the page of a port. This is the only time that its credential is known here. */
  add(browser: Pick<SignedInBrowser, 'name' | 'port'>): Promise<string>
  /** The browser that sent this credential to the page of that port. */
  find(credential: string, port: number): SignedInBrowser | undefined
  /** The last used first. */
  list(): SignedInBrowser[]
  /** Answers whether there was such a browser. */
  revoke(id: string): Promise<boolean>
  isSignedIn(id: string): boolean
  /** Calls back when a browser is revoked in this process. Returns how to stop listening. */
  onRevoked(id: string, listener: () => void): () => void
  /** Waits until the times of last use are written. */
  close(): Promise<void>
}

/** The time of last use is written at most this often. */
const writeEveryMs = 60_000

/** A browser that was not used for this long must sign in again. */
const maxUnusedMs = 90 * 24 * 3_600_000

export function browserLogins(file: PageStateFile, now: () => number = Date.now): BrowserLogins {
  const listeners = new Map<string, Set<() => void>>()
  const lastUsed = new Map<string, number>()
  let writing: Promise<void> = Promise.resolve()

  const isCurrent = ({ lastUsedAt }: StoredBrowser): boolean => now() - Date.parse(lastUsedAt) <= maxUnusedMs
  const current = (): StoredBrowser[] => file.read().browsers.filter(isCurrent)
  const changeBrowsers = (edit: (browsers: StoredBrowser[]) => StoredBrowser[]) =>
    file.change((state) => ({ ...state, browsers: edit(state.browsers.filter(isCurrent)) }))

  function noteUse(browser: StoredBrowser): void {
    const time = now()
    lastUsed.set(browser.id, time)
    if (time - Date.parse(browser.lastUsedAt) < writeEveryMs) return
    const lastUsedAt = new Date(time).toISOString()
    browser.lastUsedAt = lastUsedAt
    const edit = (one: StoredBrowser) => (one.id === browser.id ? { ...one, lastUsedAt } : one)
    // A time that cannot be written is no reason to refuse the request.
    writing = writing.then(() => changeBrowsers((browsers) => browsers.map(edit))).catch(() => undefined)
  }

  return {
    async add({ name, port }) {
      const credential = `nwb_${randomBytes(32).toString('base64url')}`
      const createdAt = new Date(now()).toISOString()
      const id = randomBytes(6).toString('hex')
      const added = { id, hash: hashOf(credential), name, port, createdAt, lastUsedAt: createdAt }
      await changeBrowsers((browsers) => [...browsers, added])
      return credential
    },
    find(credential, port) {
      const hash = hashOf(credential)
      const found = current().find((browser) => browser.hash === hash && browser.port === port)
      if (found === undefined) return undefined
      noteUse(found)
      return withoutHash(found)
    },
    list() {
      const rows = current().map((browser): SignedInBrowser => {
        const used = lastUsed.get(browser.id) ?? 0
        const isNewer = used > Date.parse(browser.lastUsedAt)
        return { ...withoutHash(browser), ...(isNewer && { lastUsedAt: new Date(used).toISOString() }) }
      })
      return rows.sort((one, other) => other.lastUsedAt.localeCompare(one.lastUsedAt))
    },
    async revoke(id) {
      let isFound = false
      await changeBrowsers((browsers) => {
        isFound = browsers.some((browser) => browser.id === id)
        return browsers.filter((browser) => browser.id !== id)
      })
      for (const listener of listeners.get(id) ?? []) listener()
      return isFound
    },
    isSignedIn: (id) => current().some((browser) => browser.id === id),
    onRevoked(id, listener) {
      const ofBrowser = listeners.get(id) ?? new Set()
      listeners.set(id, ofBrowser.add(listener))
      return () => {
        ofBrowser.delete(listener)
        if (ofBrowser.size === 0) listeners.delete(id)
      }
    },
    close: () => writing,
  }
}

const hashOf = (credential: string): string => createHash('sha256').update(credential).digest('hex')

function withoutHash({ hash: _, ...browser }: StoredBrowser): SignedInBrowser {
  return browser
}

/** The ports of the web page. A browser's login belongs to one port, so that each vault keeps its own. */
export interface PagePorts {
  /** The port that this vault's page was last served on. */
  remembered: number | undefined
  /** Ports to try on the first start, in this order. None belongs to another vault. */
  candidates: readonly number[]
  remember(port: number): Promise<void>
}

const firstPort = 8430
const lastPort = 8449

/** `vault`: its folder; undefined for the page that lets the user choose one. */
export function pagePorts(file: PageStateFile, vault: string | undefined): PagePorts {
  const key = vault === undefined ? 'choose-vault' : vaultId(vault)
  const { [key]: remembered, ...others } = file.read().ports
  const taken = new Set(Object.values(others))
  const all = Array.from({ length: lastPort - firstPort + 1 }, (_, at) => firstPort + at)
  return {
    remembered,
    candidates: all.filter((port) => !taken.has(port)),
    async remember(port) {
      if (port === remembered) return
      await file.change((state) => ({ ...state, ports: { ...state.ports, [key]: port } }))
    },
  }
}

/** A signed-in browser as it is stored. The credential itself is not: only the browser has it. */
interface StoredBrowser {
  id: string
  /** SHA-256 of the credential. */
  hash: string
  /** "Firefox on Linux". */
  name: string
  /** The port of the page it signed in to. Its credential is refused on every other one. */
  port: number
  createdAt: string
  lastUsedAt: string
}

interface PageState {
  browsers: StoredBrowser[]
  /** The port that each vault's page was last served on, by vault id. */
  ports: Record<string, number>
}

/** `state/web/page.json`: the browsers that are signed in to the web page, and the ports it is served on. */
interface PageStateFile {
  /** The current content. The file is read again when another process has changed it. */
  read(): PageState
  change(edit: (state: PageState) => PageState): Promise<void>
}

/** `vault`: a vault that the state folder must not be part of, since notes are synced and shared. */
export async function openPageState({ state, vault }: { state: string; vault?: string }): Promise<PageStateFile> {
  const folder = join(state, 'web')
  const path = join(folder, 'page.json')
  if (await isInsideVault(folder, vault)) {
    throw new Failure('path', `Sign-ins can't be stored inside a vault: ${folder}`, {
      hint: 'Set NOTEWRIGHT_HOME to a folder outside the vault.',
    })
  }
  await privateFolder(folder)
  let known: { stamp: string; state: PageState } | undefined

  function read(): PageState {
    const stamp = stampOf(path)
    if (known?.stamp !== stamp) known = { stamp, state: stateIn(path) }
    return known.state
  }

  return {
    read,
    change: (edit) =>
      withLock(nodeFiles, folder, { subject: 'The list of signed-in browsers', waitMs: 10_000 }, async () => {
        const draft = `${path}.${randomUUID()}`
        try {
          const content = { version: 1, ...edit(stateIn(path)) }
          await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
          await rename(draft, path)
        } finally {
          await rm(draft, { force: true })
        }
      }),
  }
}

/** Every change replaces the file, so that a new content has a new inode or a new time. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? 'none' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`
}

/** A missing or damaged file means no browser is signed in: browsers need a new link. */
function stateIn(path: string): PageState {
  let tree: unknown
  try {
    tree = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const { browsers, ports } = isRecord(tree) ? tree : {}
  return {
    browsers: Array.isArray(browsers) ? browsers.filter(isStoredBrowser) : [],
    ports: isRecord(ports) ? Object.fromEntries(Object.entries(ports).filter(isPort)) : {},
  }
}

function isStoredBrowser(value: unknown): value is StoredBrowser {
  if (!isRecord(value) || !Number.isInteger(value.port)) return false
  return ['id', 'hash', 'name', 'createdAt', 'lastUsedAt'].every((key) => typeof value[key] === 'string')
}

function isPort(entry: [string, unknown]): entry is [string, number] {
  return Number.isInteger(entry[1]) && Number(entry[1]) > 0 && Number(entry[1]) < 65_536
}
