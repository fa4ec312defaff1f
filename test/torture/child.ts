import { existsSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { changeSet, notePath } from '../../src/core/vault/index.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { appendLogged } from './logged-appends.js'
import { runDiskProcess } from './sequences/disk-process.js'
import type { HostName } from './sequences/hosts.js'
import { runSequences } from './sequences/in-processes.js'
import { soak } from './sqlite-soak.js'
import { subjects } from './subjects.js'
import { allFiles } from './torture.js'

/** The other process. It says `ready` and then works until it is done or killed. */
export async function runChild([task, root, stateDir, detail]: string[]): Promise<void> {
  if (task === 'change') return changeForever(root, stateDir, detail)
  if (task === 'log') return appendLogged(root, stateDir, detail, Number.POSITIVE_INFINITY)
  if (task === 'soak') return soak(root, Number(stateDir))
  if (task === 'sequence') return runDiskProcess(root, stateDir)
  if (task === 'sequences') return runSequences(root as HostName, Number(stateDir), Number(detail))
  if (task === 'append') return appendAll(root, stateDir, detail)
  return swapForever(root, stateDir)
}

async function changeForever(root: string, stateDir: string, name: string): Promise<void> {
  const subject = subjects.find((known) => known.name === name)!
  const vault = await folderVault({ root, stateDir })
  let version = subject.versionOf(allFiles(root))!
  let next = changeSet('Next version', subject.changes(version))
  process.stdout.write('ready\n')
  for (;;) {
    await vault.apply(next)
    next = changeSet('Next version', subject.changes(++version))
  }
}

async function appendAll(root: string, stateDir: string, name: string): Promise<void> {
  const vault = await folderVault({ root, stateDir })
  process.stdout.write('ready\n')
  const start = join(root, '../start')
  while (!existsSync(start)) await new Promise((resolve) => setTimeout(resolve, 2))
  const appends = Array.from({ length: 25 }, (_, index) => {
    const added = Buffer.from(`${name} ${index}\n`)
    return vault.apply(changeSet('Append', [{ kind: 'append', path: notePath('log.md'), added }]))
  })
  const results = await Promise.allSettled(appends)
  process.exitCode = results.filter(({ status }) => status === 'rejected').length
}

/** Swaps the vault's folder for a link to the outside and back, as fast as it can. */
function swapForever(root: string, outside: string): void {
  const [folder, aside, link] = [join(root, 'f'), join(root, 'aside'), join(root, 'link')]
  symlinkSync(outside, link)
  process.stdout.write('ready\n')
  for (let turn = 0; ; turn++) {
    const made = join(root, `made ${turn}`)
    renameOnto(folder, aside, made)
    renameOnto(link, folder, made)
    renameOnto(folder, link, made)
    renameOnto(aside, folder, made)
  }
}

/** Under either name the vault may have made a folder of its own meanwhile; that one steps aside. */
function renameOnto(from: string, onto: string, made: string): void {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(from, onto)
      return
    } catch {
      try {
        renameSync(onto, `${made}.${attempt}`)
      } catch {
        // The vault has taken it away again.
      }
    }
  }
}
