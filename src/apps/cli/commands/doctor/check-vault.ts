import { constants } from 'node:fs'
import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../../core/config/index.js'
import { decodeRules } from '../../../../core/vault/index.js'
import { count } from '../../show/quantities.js'
import type { Finding } from './finding.js'

/** Whether the vault can be read and written. Only asks; nothing is written. */
export async function checkVault(root: string, from: string): Promise<Finding> {
  const subject = 'Vault'
  if (!(await can(root, constants.R_OK | constants.X_OK))) {
    return { subject, state: 'fail', text: `${root} cannot be read`, advice: 'Give yourself permission to read it.' }
  }
  if (!(await can(root, constants.W_OK))) {
    const advice = 'Searching works; changing notes needs permission to write.'
    return { subject, state: 'warn', text: `${root} cannot be written (from ${from})`, advice }
  }
  return { subject, state: 'ok', text: `${root} (from ${from})` }
}

/** Which patterns hide notes, and how many files that is. */
export async function checkExclusions(root: string, config: Config, visible: number): Promise<Finding> {
  const subject = 'Exclusions'
  const inVault = await readFile(join(root, '.notewrightignore')).then(decodeRules, () => '')
  const fromVault = (inVault ?? '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#')).length
  const sources = [
    fromVault > 0 ? `${count(fromVault, 'pattern')} in .notewrightignore` : '',
    config.exclude.length > 0 ? `${count(config.exclude.length, 'pattern')} in the configuration` : '',
  ].filter((source) => source !== '')
  if (sources.length === 0) return { subject, state: 'ok', text: 'none; private notes can say `private: true`' }
  const hidden = Math.max(0, (await countFiles(root)) - visible)
  return { subject, state: 'ok', text: `${sources.join(', ')}: ${count(hidden, 'file')} hidden` }
}

const mostNamed = 50

/** Files and folders the last look at the vault could not read, each with its reason; nothing when there are none. */
export function checkSkipped(skipped: readonly { path: string; reason: string }[]): Finding[] {
  if (skipped.length === 0) return []
  const named = skipped.slice(0, mostNamed).map(({ path, reason }) => `${path}: ${reason}`)
  const more = skipped.length > mostNamed ? [`… and ${skipped.length - mostNamed} more (notewright index --json)`] : []
  const text = [`${count(skipped.length, 'file or folder', 'files and folders')}:`, ...named, ...more].join('\n')
  const advice = 'They are left out of every search and list until they can be read.'
  return [{ subject: 'Left out', state: 'warn', text, advice }]
}

/** Regular files outside dot folders, as the vault would list them without exclusions. */
async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  let files = 0
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) files += await countFiles(join(folder, entry.name))
    else if (entry.isFile()) files++
  }
  return files
}

async function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}
