import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { type Exclusions, type NotePath, notePath } from '../../../core/vault/index.js'

const debounceMs = 100
const pollMs = 5000
const manyPaths = 200
const ruleFile = '.notewrightignore'

/**
 * Reports paths that may have changed. System events are only hints: they are collected for a moment, and too many of
 * them, or a failing watcher, become "look at everything".
 */
export function watchFolder(
  root: string,
  rules: () => Promise<Exclusions>,
  onChange: (path: NotePath | undefined) => void,
): () => void {
  const waiting = new Set<string | undefined>()
  let timer: NodeJS.Timeout | undefined
  let poll: NodeJS.Timeout | undefined
  let isStopped = false

  function hint(path: string | undefined): void {
    if (isStopped || (path !== undefined && path !== ruleFile && isDotted(path))) return
    waiting.add(path === ruleFile ? undefined : path)
    timer ??= setTimeout(flush, debounceMs)
  }

  async function flush(): Promise<void> {
    timer = undefined
    const paths = [...waiting]
    waiting.clear()
    const isAll = paths.includes(undefined) || paths.length > manyPaths
    const { hides } = await rules().catch(() => ({ hides: () => true }))
    if (isStopped) return
    if (isAll) tell(undefined)
    // `!`: an unknown path made it `isAll`.
    else for (const path of paths) if (!hides(path!)) tell(checked(path!))
  }

  function tell(path: NotePath | undefined): void {
    try {
      onChange(path)
    } catch {
      // A listener's bug must not stop the watching.
    }
  }

  function giveUp(): void {
    if (isStopped || poll !== undefined) return
    tree.close()
    poll = setInterval(() => hint(undefined), pollMs)
    poll.unref()
    hint(undefined)
  }

  // Node's own recursive watching on Linux watches every file; one watch per folder is enough.
  const tree = process.platform === 'linux' ? watchEachFolder(root, hint, giveUp) : watchWhole(root, hint, giveUp)
  return () => {
    isStopped = true
    clearTimeout(timer)
    clearInterval(poll)
    tree.close()
  }
}

interface Watching {
  close(): void
}

function watchWhole(root: string, hint: (path: string | undefined) => void, giveUp: () => void): Watching {
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(root, { recursive: true, persistent: false }, (_, name) => {
      hint(name === null ? undefined : name.replaceAll('\\', '/'))
    })
    watcher.on('error', giveUp)
  } catch {
    setImmediate(giveUp)
  }
  return { close: () => watcher?.close() }
}

function watchEachFolder(root: string, hint: (path: string | undefined) => void, giveUp: () => void): Watching {
  const watchers = new Map<string, FSWatcher>()
  /** Inaccessible folders: the parent folder reports when that changes. */
  const barred = new Set<string>()
  let isClosed = false

  function add(path: string): void {
    if (isClosed || watchers.has(path)) return
    try {
      addOpen(path)
      barred.delete(path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (path === '' || (code !== 'EACCES' && code !== 'EPERM')) throw error
      drop(path)
      barred.add(path)
    }
  }

  function addOpen(path: string): void {
    const absolute = path === '' ? root : `${root}/${path}`
    const watcher = watch(absolute, { persistent: false }, (event, name) => {
      if (name === null) return hint(undefined)
      const changed = path === '' ? name : `${path}/${name}`
      if ((event === 'rename' || barred.has(changed)) && !isDotted(changed)) follow(changed)
      hint(changed)
    })
    watcher.on('error', () => drop(path))
    watchers.set(path, watcher)
    for (const item of readdirSync(absolute, { withFileTypes: true })) {
      if (item.isDirectory() && !item.name.startsWith('.')) add(path === '' ? item.name : `${path}/${item.name}`)
    }
  }

  // A file or folder was added or removed. A new folder has files that were not reported yet.
  function follow(path: string): void {
    drop(path)
    try {
      if (!lstatSync(`${root}/${path}`, { throwIfNoEntry: false })?.isDirectory()) return
      add(path)
      hint(undefined)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR') giveUp()
    }
  }

  function drop(path: string): void {
    for (const [known, watcher] of watchers) {
      if (known !== path && !known.startsWith(`${path}/`)) continue
      watcher.close()
      watchers.delete(known)
    }
  }

  try {
    add('')
  } catch {
    setImmediate(giveUp)
  }
  return {
    close() {
      isClosed = true
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

function isDotted(path: string): boolean {
  return /(?:^|\/)\./.test(path)
}

function checked(path: string): NotePath | undefined {
  try {
    return notePath(path)
  } catch {
    return undefined
  }
}
