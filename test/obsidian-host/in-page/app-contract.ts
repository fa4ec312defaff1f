import type { Transaction } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import type { App } from '../app/app.js'
import type { obsidian } from '../app/obsidian.js'
import type { Definition } from '../app/settings.js'
import type { MarkdownView } from '../app/workspace.js'
import { runRegistered } from './vitest.js'

/**
 * Behaviour that our host shares with the app. `observed`: others have seen it in 1.13.7. `documented`: the API's own
 * types and pages say so. `assumed`: neither; someone with the app should try these first.
 */

interface Here {
  host: { app: App; open(vault: string, options?: object): Promise<void>; obsidian: typeof obsidian }
  runContracts: typeof runRegistered
}

interface EventedProgram {
  pid?: number
  stdin: { write(text: string, done: () => void): void; end(): void }
  stdout: { on(event: 'data', listener: (bytes: Uint8Array) => void): void }
  stderr: { on(event: 'data', listener: (bytes: Uint8Array) => void): void }
  once(event: string, listener: (...given: never[]) => void): void
}

const here = globalThis as unknown as Here
let opened = 0

async function vaultWith(files: Record<string, string>): Promise<App> {
  await here.host.open(`app-${opened++}`)
  const { app } = here.host
  for (const [path, text] of Object.entries(files)) {
    await app.vault.disk.writeFromOutside(path, new TextEncoder().encode(text))
  }
  await app.vault.reconcile()
  return app
}
/** Some events of the app arrive with a delay. */
async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 500 && !isSo(); looks++) await new Promise((resume) => setTimeout(resume, 10))
}
/** A row of the declarative settings, drawn. */
function drawnControl(control: Definition['control']) {
  const given: unknown[] = []
  class Tab extends here.host.obsidian.SettingTab {
    override getSettingDefinitions(): Definition[] {
      return [{ name: 'Row', control }]
    }
    override getControlValue(): unknown {
      return undefined
    }
    override setControlValue(_key: string, value: unknown): void {
      given.push(value)
    }
  }
  const tab = new Tab(here.host.app)
  tab.update()
  tab.draw()
  const field = tab.containerEl.querySelector('input')!
  const type = async (text: string, event: 'input' | 'change') => {
    field.value = text
    field.dispatchEvent(new Event(event))
    await new Promise((resume) => setTimeout(resume))
  }
  return { given, type, error: () => tab.containerEl.querySelector('.setting-error')?.textContent }
}
const file = (app: App, path: string) => app.vault.getFileByPath(path)!

describe('observed on 1.13.7', () => {
  it('a modal has its parts in this order, and runs onOpen attached and onClose detached', () => {
    const seen: boolean[] = []
    class Own extends here.host.obsidian.Modal {
      override onOpen() {
        seen.push(this.modalEl.isConnected)
      }
      override onClose() {
        seen.push(this.modalEl.isConnected)
      }
    }
    const modal = new Own(here.host.app)
    expect(modal.containerEl.className).toBe('modal-container mod-dim')
    expect([...modal.modalEl.children].map(({ className }) => className)).toEqual([
      'modal-header-button mod-raised clickable-icon',
      'modal-header',
      'modal-content',
    ])
    modal.open()
    modal.close()
    expect(seen).toEqual([true, false])
  })

  it('names with a dot are not in the list of files, though they are there', async () => {
    const { vault } = await vaultWith({ '.obsidian/app.json': '{}', 'a/.b.md': '', 'c.md': '' })
    expect(vault.getFiles().map(({ path }) => path)).toEqual(['c.md'])
    expect(await vault.adapter.exists('.obsidian/app.json')).toBe(true)
  })

  it('the list knows a file by its very spelling, and creating another spelling of it fails', async () => {
    const { vault } = await vaultWith({ 'Plan.md': '', 'F/x.md': '' })
    expect(vault.getFileByPath('plan.md')).toBe(null)
    await expect(vault.create('plan.md', '')).rejects.toThrow('File already exists.')
    await expect(vault.createFolder('f')).rejects.toThrow('Folder already exists.')
  })

  it('creating a file in a folder that is not there fails', async () => {
    const { vault } = await vaultWith({})
    await expect(vault.create('no/such.md', '')).rejects.toThrow('ENOENT')
  })

  it('an attribute of null is left out, and toggleClass without a value removes', () => {
    const element = document.body.createDiv({ cls: 'one', attr: { a: null, b: false, c: 0 } })
    expect([element.hasAttribute('a'), element.getAttribute('b'), element.getAttribute('c')]).toEqual([
      false,
      'false',
      '0',
    ])
    ;(element.toggleClass as (name: string) => void)('one')
    expect(element.className).toBe('')
    element.remove()
  })

  it('a child added to a component that is not loaded is not loaded', () => {
    const { Component } = here.host.obsidian
    const [parent, child] = [new Component(), new Component()]
    parent.addChild(child)
    expect(child.isLoaded).toBe(false)
    parent.load()
    expect(child.isLoaded).toBe(true)
    parent.unload()
    expect(child.isLoaded).toBe(false)
  })

  it('a new name is normalised', async () => {
    const { vault } = await vaultWith({ 'a.md': 'x', 'b/c.md': '' })
    await vault.rename(vault.getFileByPath('a.md')!, 'b//a.md')
    expect(vault.getFileByPath('b/a.md')?.name).toBe('a.md')
  })

  it('a note that others write while the person types gets both, unless they meet', async () => {
    const app = await vaultWith({ 'a.md': 'one\ntwo\nthree' })
    await app.workspace.openLinkText('a.md', '')
    const { editor } = app.workspace.getLeavesOfType('markdown').at(-1)!.view as MarkdownView
    editor.replaceRange('!', { line: 2, ch: 5 })
    await app.vault.modify(file(app, 'a.md'), 'ONE\ntwo\nthree')
    await until(() => editor.getValue().startsWith('ONE'))
    expect(editor.getValue()).toBe('ONE\ntwo\nthree!')
  })
})

describe('documented', () => {
  it('the editor of a note is one of CodeMirror, whose transactions may stay out of the undo history', async () => {
    const app = await vaultWith({ 'a.md': 'one' })
    await app.workspace.openLinkText('a.md', '')
    const { editor } = app.workspace.getLeavesOfType('markdown').at(-1)!.view as MarkdownView
    const { cm } = editor
    const { addToHistory } = cm.state.update({}).constructor as typeof Transaction
    cm.dispatch({ changes: { from: 3, insert: ' two' }, annotations: addToHistory.of(false) })
    cm.dispatch({ changes: { from: 0, insert: 'zero ' } })
    expect(editor.getValue()).toBe('zero one two')
    editor.undo()
    editor.undo()
    expect(editor.getValue()).toBe('one two')
  })

  it('process reads, changes and writes the text, and writes nothing when the change throws', async () => {
    const app = await vaultWith({ 'a.md': 'one' })
    expect(await app.vault.process(file(app, 'a.md'), (text) => text.toUpperCase())).toBe('ONE')
    const refuse = () => {
      throw new Error('no')
    }
    await expect(app.vault.process(file(app, 'a.md'), refuse)).rejects.toThrow('no')
    expect(await app.vault.read(file(app, 'a.md'))).toBe('ONE')
  })

  it('rename moves a file and touches no links', async () => {
    const app = await vaultWith({ 'a.md': 'x', 'l.md': '[[a]]' })
    await app.vault.rename(file(app, 'a.md'), 'b.md')
    expect(await app.vault.read(file(app, 'l.md'))).toBe('[[a]]')
  })

  it('a file is looked for by its very spelling where that is asked for, on any disk', async () => {
    for (const foldsNames of [true, false]) {
      await here.host.open(`app-${opened++}`, { foldsNames })
      const { vault } = here.host.app
      await vault.disk.writeFromOutside('f/Plan.md', new TextEncoder().encode('x'))
      expect(await vault.adapter.exists('f/PLAN.md')).toBe(foldsNames)
      expect(await vault.adapter.exists('f/PLAN.md', true)).toBe(false)
      expect(await vault.adapter.exists('f/Plan.md', true)).toBe(true)
    }
  })

  it('tells of files that come, change, move and go', async () => {
    const app = await vaultWith({ 'a.md': 'x' })
    const told: string[] = []
    for (const name of ['create', 'modify', 'delete']) {
      app.vault.on(name, ({ path }: { path: string }) => told.push(`${name} ${path}`))
    }
    app.vault.on('rename', ({ path }: { path: string }, before: string) => told.push(`rename ${before} ${path}`))
    await app.vault.create('b.md', '')
    await app.vault.modify(file(app, 'a.md'), 'y')
    await app.vault.rename(file(app, 'a.md'), 'c.md')
    await app.vault.delete(file(app, 'b.md'))
    expect(told).toEqual(['create b.md', 'modify a.md', 'rename a.md c.md', 'delete b.md'])
  })

  it('trashFile does as the person has set it', async () => {
    for (const [option, there] of Object.entries({ local: true, none: false, system: false })) {
      const app = await vaultWith({ 'a.md': 'x', '.obsidian/app.json': JSON.stringify({ trashOption: option }) })
      await app.fileManager.trashFile(file(app, 'a.md'))
      expect(await app.vault.adapter.exists('a.md')).toBe(false)
      expect(await app.vault.adapter.exists('.trash/a.md'), option).toBe(there)
    }
  })

  it('secrets have names of small letters, digits and dashes', async () => {
    const { secretStorage } = await vaultWith({})
    secretStorage.setSecret('openai-key', 's')
    expect([secretStorage.getSecret('openai-key'), secretStorage.getSecret('other')]).toEqual(['s', null])
    expect(() => secretStorage.setSecret('Not So', 's')).toThrow()
  })

  it('a number of the settings counts when its field is left, and not outside its bounds', async () => {
    const { given, type, error } = drawnControl({ type: 'number', key: 'level', min: 0, max: 6 })
    await type('3', 'input')
    expect(given).toEqual([])
    await type('3', 'change')
    await type('9', 'change')
    expect(given).toEqual([3])
    expect(error()).toBeTruthy()
  })

  it('a setting whose check says something is not kept, and that is shown', async () => {
    const { given, type, error } = drawnControl({ type: 'text', key: 'a', validate: () => 'Not so.' })
    await type('x', 'input')
    expect([given, error()]).toEqual([[], 'Not so.'])
  })

  it('what is kept beside a vault is of that vault', async () => {
    const one = await vaultWith({})
    one.saveLocalStorage('key', { a: 1 })
    expect(one.loadLocalStorage('key')).toEqual({ a: 1 })
    expect((await vaultWith({})).loadLocalStorage('key')).toBe(null)
  })

  it('a transaction of an editor is one step of undo', async () => {
    const app = await vaultWith({ 'a.md': 'one\ntwo' })
    await app.workspace.openLinkText('a.md', '')
    const { editor } = app.workspace.getLeavesOfType('markdown').at(-1)!.view as MarkdownView
    const at = (line: number, ch: number) => ({ line, ch })
    editor.transaction({
      changes: [
        { from: at(0, 0), to: at(0, 3), text: '1' },
        { from: at(1, 3), text: '!' },
      ],
    })
    expect(editor.getValue()).toBe('1\ntwo!')
    editor.undo()
    expect(editor.getValue()).toBe('one\ntwo')
  })
})

describe('assumed', () => {
  it('on a desktop window.require gives Node’s modules, which start programs without a shell and end them', async () => {
    expect('require' in window).toBe(false)
    await here.host.open(`app-${opened++}`, { environment: { GARDEN: 'beans' } })
    const { require: load } = window as unknown as { require: (name: string) => never }
    const { spawn } = load('child_process') as { spawn: (...given: unknown[]) => EventedProgram }
    const { env, kill } = load('process') as { env: object; kill: (pid: number, signal: string) => void }
    expect(env).toEqual({ GARDEN: 'beans' })
    expect(() => load('no-such-module')).toThrow('Cannot find module')
    const start = (command: string, ...args: string[]) =>
      spawn(command, args, { env: { PATH: '/usr/bin:/bin' }, stdio: 'pipe', detached: true, shell: false })

    const cat = start('sh', '-c', 'echo "$0" >&2; cat; exit 3', '$(id)')
    const told: unknown[] = []
    const words = (bytes: Uint8Array) => told.push(new TextDecoder().decode(bytes))
    cat.stderr.on('data', words)
    cat.once('exit', (...given: unknown[]) => told.push(given))
    const closed = new Promise<void>((tell) => cat.once('close', () => tell()))
    expect(cat.pid).toBeGreaterThan(0)
    await until(() => told.length === 1)
    cat.stdout.on('data', words)
    cat.stdin.write('ü\n', () => cat.stdin.end())
    await closed
    expect(told).toEqual(['$(id)\n', 'ü\n', [3, null]])
    expect(() => kill(-cat.pid!, 'SIGKILL')).toThrow()

    const missing = start('no-such-program-here')
    expect(missing.pid).toBe(undefined)
    const code = await new Promise((tell) => missing.once('error', (error: { code: string }) => tell(error.code)))
    expect(code).toBe('ENOENT')
    Object.assign(window, { require: undefined })
  })

  it('a text of the settings counts with every letter', async () => {
    const { given, type } = drawnControl({ type: 'text', key: 'a' })
    await type('a', 'input')
    await type('ab', 'input')
    expect(given).toEqual(['a', 'ab'])
  })

  it('what is dragged out of a list of files is a file, or several, beside the event', async () => {
    const app = await vaultWith({ 'a.md': '' })
    app.dragManager.draggable = { type: 'file', file: file(app, 'a.md') }
    expect(app.dragManager.draggable).toMatchObject({ file: { path: 'a.md' } })
  })

  it('an editor has line feeds alone, and saves them', async () => {
    const app = await vaultWith({ 'a.md': 'one\r\ntwo' })
    await app.workspace.openLinkText('a.md', '')
    const view = app.workspace.getLeavesOfType('markdown').at(-1)!.view as MarkdownView
    expect(view.editor.getValue()).toBe('one\ntwo')
    await view.save()
    expect(await app.vault.read(file(app, 'a.md'))).toBe('one\ntwo')
  })

  it('what others write to an open note comes into its editor', async () => {
    const app = await vaultWith({ 'a.md': 'one' })
    await app.workspace.openLinkText('a.md', '')
    const { editor } = app.workspace.getLeavesOfType('markdown').at(-1)!.view as MarkdownView
    await app.vault.modify(file(app, 'a.md'), 'two')
    await until(() => editor.getValue() === 'two')
    expect(editor.getValue()).toBe('two')
  })

  it('a note is saved when it is closed, or another one is opened in its place', async () => {
    const app = await vaultWith({ 'a.md': 'one', 'b.md': '' })
    await app.workspace.openLinkText('a.md', '')
    const leaf = app.workspace.getLeavesOfType('markdown').at(-1)!
    const view = leaf.view as MarkdownView
    view.editor.replaceRange('1', { line: 0, ch: 3 })
    await view.open(file(app, 'b.md'))
    expect(await app.vault.read(file(app, 'a.md'))).toBe('one1')
    view.editor.replaceRange('2', { line: 0, ch: 0 })
    await leaf.detach()
    expect(await app.vault.read(file(app, 'b.md'))).toBe('2')
  })

  it('a name may change its case alone', async () => {
    const app = await vaultWith({ 'plan.md': 'x' })
    await app.vault.rename(file(app, 'plan.md'), 'Plan.md')
    expect(app.vault.getFileByPath('Plan.md')?.basename).toBe('Plan')
  })

  it('a text keeps its byte order mark when it is read', async () => {
    const app = await vaultWith({ 'a.md': '\uFEFFone' })
    expect(await app.vault.read(file(app, 'a.md'))).toBe('\uFEFFone')
  })

  it('two deleted notes of one name get two names in the trash', async () => {
    const app = await vaultWith({ 'a.md': '1', 'f/a.md': '2', '.obsidian/app.json': '{"trashOption":"local"}' })
    await app.fileManager.trashFile(file(app, 'a.md'))
    await app.fileManager.trashFile(file(app, 'f/a.md'))
    expect((await app.vault.adapter.list('.trash')).files.sort()).toEqual(['.trash/a 2.md', '.trash/a.md'])
  })
})

here.runContracts = runRegistered
