import { lstat, readdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, journalBytes } from '../../../../core/config/index.js'
import { nodeFiles } from '../../../../hosts/node/files/index.js'
import { describeLock } from '../../../../hosts/node/lock/index.js'
import { bytes, count } from '../../show/quantities.js'
import type { Finding } from './finding.js'

/** Space the journal takes of what it may take, what the disk has left, and which rows are damaged. */
export async function checkJournal(folder: string, config: Config, damaged: readonly string[] = []): Promise<Finding> {
  const subject = 'Journal'
  const used = (await filesBelow(folder)).reduce((sum, { size }) => sum + size, 0)
  const limit = journalBytes(config)
  const free = await freeSpace(folder)
  const text = `${bytes(used)} of ${bytes(limit)}, kept ${config.journal.days} days and ${count(config.journal.changes, 'change')}; ${bytes(free)} free on the disk`
  if (free < 50_000_000) {
    return { subject, state: 'fail', text, advice: 'Free some disk space: without it no note can be changed safely.' }
  }
  if (free < limit - used) {
    const advice = 'The disk could fill before the journal reaches its limit; lower journal.megabytes.'
    return { subject, state: 'warn', text, advice }
  }
  if (damaged.length > 0) {
    const advice = 'All other changes can be undone. A damaged disk damages more: keep a copy of your notes elsewhere.'
    return { subject, state: 'warn', text: [text, ...damaged].join('\n'), advice }
  }
  return { subject, state: 'ok', text }
}

/** Whether a lock stands in the way that will not go by itself. */
export async function checkLock(folder: string): Promise<Finding[]> {
  const wrong = await describeLock(nodeFiles, folder)
  return wrong === undefined ? [] : [{ subject: 'Lock', state: 'fail', ...wrong }]
}

/** Whether others on this machine could read what Notewright keeps. */
export async function checkPermissions(places: string[]): Promise<Finding> {
  const subject = 'Permissions'
  if (process.platform === 'win32') return { subject, state: 'ok', text: 'not checked on Windows' }
  const open: string[] = []
  let looked = 0
  for (const place of places) {
    for (const { path, mode } of await filesBelow(place)) {
      looked++
      if ((mode & 0o077) !== 0) open.push(path)
    }
  }
  if (looked === 0) return { subject, state: 'ok', text: 'nothing is kept yet' }
  if (open.length === 0) return { subject, state: 'ok', text: `${looked} files and folders, yours alone` }
  const others = open.length > 1 ? ` and ${open.length - 1} more` : ''
  const text = `${open[0]}${others} can be read by others`
  const quoted = places.map((place) => `'${place.replaceAll("'", "'\\''")}'`).join(' ')
  return { subject, state: 'warn', text, advice: `chmod -R go-rwx ${quoted}` }
}

interface Entry {
  path: string
  size: number
  mode: number
}

/** The place itself and everything below it; nothing when it is not there. Links are not followed. */
async function filesBelow(place: string): Promise<Entry[]> {
  const found = await lstat(place).catch(() => undefined)
  if (found === undefined || found.isSymbolicLink()) return []
  const self = { path: place, size: found.isDirectory() ? 0 : found.size, mode: found.mode }
  if (!found.isDirectory()) return [self]
  const names = await readdir(place).catch(() => [])
  const inside = await Promise.all(names.map((name) => filesBelow(join(place, name))))
  return [self, ...inside.flat()]
}

/** Of the nearest folder that exists: state folders are made on first use. */
async function freeSpace(folder: string): Promise<number> {
  for (let place = folder; ; place = dirname(place)) {
    const disk = await statfs(place).catch(() => undefined)
    if (disk !== undefined) return disk.bavail * disk.bsize
    if (place === dirname(place)) return 0
  }
}
