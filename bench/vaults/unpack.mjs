import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, dataFolder } from '../data.mjs'

/** Unpacks one of the real vaults of the data folder, once, and answers where it is. */
export function unpackVault(name) {
  const folder = join(cacheFolder, 'unpacked', name)
  if (existsSync(folder)) return folder
  const scratch = `${folder}.${process.pid}`
  mkdirSync(scratch, { recursive: true })
  execFileSync('tar', ['-xzf', join(dataFolder, 'vaults', `${name}.tar.gz`), '-C', scratch])
  renameSync(existsSync(join(scratch, name)) ? join(scratch, name) : scratch, folder)
  rmSync(scratch, { recursive: true, force: true })
  return folder
}
