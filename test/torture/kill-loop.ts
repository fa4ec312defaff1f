import { rmSync, watch } from 'node:fs'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import type { Subject } from './subjects.js'
import { allFiles, exited, newGround, type Row, randomNumbers, sleep, startChild } from './torture.js'

/**
 * Kills a process that is changing the vault, again and again. After each kill the bytes must be whole, after the
 * next start all of one version, with nothing left over.
 */
export async function killLoop(
  subject: Subject,
  when: 'first-change' | 'random',
  kills: number,
  seed: number,
): Promise<Row> {
  const ground = newGround()
  const random = randomNumbers(seed)
  const notes = { torn: 0, mixed: 0, 'stray files': 0, unfinished: 0, 'killed in a change': 0, 'slowest repair ms': 0 }
  let losses = 0
  let usualMs = 40
  subject.write(ground.root)
  let version = subject.versionOf(allFiles(ground.root))!

  for (let trial = 0; trial < kills; trial++) {
    const changed = when === 'first-change' ? firstChange(ground.root) : undefined
    const child = await startChild(['change', ground.root, ground.stateDir, subject.name])
    // Half of the kills at the first change come a moment later, to reach past the first temporary file.
    if (changed !== undefined)
      await Promise.race([changed.then(() => sleep(trial % 2 ? random() * 3 : 0)), sleep(5000)])
    else await sleep(random() * usualMs)
    child.kill('SIGKILL')
    await exited(child)

    const killed = allFiles(ground.root)
    const left = [...killed.keys()].filter((path) => path.startsWith('.') || path.includes('/.'))
    const isTorn = [...killed].some(([path, bytes]) => path.endsWith('.md') && bytes.length === 0)
    const isWhole = subject.versionOf(new Map([...killed].filter(([path]) => !left.includes(path)))) !== undefined
    if (left.length > 0 || !isWhole) notes['killed in a change']++

    const started = performance.now()
    const vault = await folderVault(ground)
    const repairMs = Math.round(performance.now() - started)
    notes['slowest repair ms'] = Math.max(notes['slowest repair ms'], repairMs)
    const repaired = allFiles(ground.root)
    const stray = [...repaired.keys()].filter((path) => path.startsWith('.') || path.includes('/.'))
    const now = subject.versionOf(repaired)
    const history = await vault.history()
    const isOpen = history.some(({ state }) => state === 'unfinished')

    notes.torn += Number(isTorn)
    notes.mixed += Number(now === undefined || now < version)
    notes['stray files'] += stray.length
    notes.unfinished += Number(isOpen)
    if (isTorn || now === undefined || now < version || stray.length > 0 || isOpen) losses++
    if (now === undefined) {
      rmSync(ground.base, { recursive: true })
      subject.write(ground.root)
    }
    version = now ?? 0
    usualMs = subject.name.startsWith('8') ? 120 : 400
    // The journal of hundreds of 8 MB versions is not what is tried here.
    if (trial % 50 === 49) rmSync(ground.stateDir, { recursive: true, force: true })
  }
  rmSync(ground.base, { recursive: true, force: true })
  return { name: `kill -9, ${when}, ${subject.name}`, trials: kills, losses, notes }
}

function firstChange(root: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(root, { recursive: true }, () => {
      watcher.close()
      resolve()
    })
  })
}
