import type { App } from 'obsidian'
import { type ChangeSet, changeSet, hashBytes, notePath } from '../../../src/core/vault/index.js'
import { openState } from '../../../src/hosts/obsidian/stored-values.js'
import { obsidianVault } from '../../../src/hosts/obsidian/vault/obsidian-vault.js'
import type { App as HostApp } from '../app/app.js'
import type { CutOff, Outcome } from '../cut-off.js'

/** Interrupts changes at any disk call, as a crash would, and checks the next start. */

interface Here {
  host: { app: HostApp; open(vault: string): Promise<void> }
  cutOff(options: CutOff): Promise<Outcome>
}

const here = globalThis as unknown as Here
const files = { 'a.md': 'first\n', 'b.md': 'see [[a]]\n', 'c.md': 'third\n', 'd.md': 'fourth\n' }
const encode = (text: string) => new TextEncoder().encode(text)
let opened = 0

function everyKind(): ChangeSet {
  const before = (path: keyof typeof files) => hashBytes(encode(files[path]))
  return changeSet('Everything', [
    { kind: 'move', path: notePath('a.md'), to: notePath('new/z.md'), before: before('a.md') },
    { kind: 'edit', path: notePath('b.md'), before: before('b.md'), after: encode('see [[z]]\n') },
    { kind: 'append', path: notePath('c.md'), added: encode('more\n') },
    { kind: 'trash', path: notePath('d.md'), before: before('d.md') },
    { kind: 'create', path: notePath('e.md'), after: encode('fifth\n') },
  ])
}

const changing = ['write', 'makeFolder', 'rename', 'remove', 'removeFolder', 'trashOutside'] as const

here.cutOff = async ({ after, torn = false, meanwhile }) => {
  const name = `cut-${opened++}`
  await here.host.open(name)
  const { app } = here.host
  const { disk } = app.vault
  for (const [path, text] of Object.entries({ ...files, '.obsidian/app.json': '{"trashOption":"local"}' })) {
    await disk.writeFromOutside(path, encode(text))
  }
  await app.vault.reconcile()
  const database = await openState(name)
  const vault = await obsidianVault(app as unknown as App, { id: name, database })

  const whole = { ...disk }
  let left = after
  for (const call of changing) {
    const work = whole[call] as (...args: unknown[]) => Promise<unknown>
    Object.assign(disk, {
      [call]: async (...args: unknown[]) => {
        if (left-- > 0) return work(...args)
        // After a crash, a running call never ends and no further call begins.
        if (left === -1 && torn && call === 'write') {
          const [path, bytes] = args as [string, Uint8Array]
          await whole.write(path, bytes.subarray(0, Math.floor(bytes.length / 2)))
        }
        return new Promise(() => {})
      },
    })
  }
  const isDone = await Promise.race([
    vault.apply(everyKind()).then(() => true),
    new Promise<boolean>((resolve) => {
      const look = () => (left < 0 ? setTimeout(() => resolve(false), 30) : setTimeout(look, 5))
      look()
    }),
  ])
  database.close()
  Object.assign(disk, whole)

  await here.host.open(name)
  const again = here.host.app
  if (meanwhile !== undefined) await again.vault.disk.writeFromOutside(meanwhile, encode('by a person\n'))
  await again.vault.reconcile()
  const state = await openState(name)
  const mended = await obsidianVault(again as unknown as App, { id: name, database: state })
  const history = await mended.history()
  const notes: Record<string, string> = {}
  for (const { path } of again.vault.getFiles()) {
    notes[path] = new TextDecoder().decode(await again.vault.disk.read(path))
  }
  mended.close()
  state.close()
  return {
    notes,
    states: history.map((entry) => entry.state),
    unsettled: history.flatMap(({ unsettled }) => unsettled?.notes ?? []),
    isDone,
  }
}
