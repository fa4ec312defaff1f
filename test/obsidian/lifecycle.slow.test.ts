import { describe, expect, it } from 'vitest'
import { pluginBrowser } from './plugin-browser.js'
import { openPlugin, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const files = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [
    `Note ${at}.md`,
    `# Note ${at}\n\nBeans and soil, see [[Note ${at + 1}]].\n`,
  ]),
)

/** Notes in the page what the plugin has begun and not ended. Its code is known by the name that its file has there. */
const noting = `{
  const isOurs = () => new Error().stack.includes('plugin:notewright')
  const open = (globalThis.left = { workers: new Set(), timers: new Set(), listeners: new Set(), refs: new Set() })
  const Real = Worker
  globalThis.Worker = class extends Real {
    constructor(...given) { super(...given); open.workers.add(this) }
    terminate() { open.workers.delete(this); super.terminate() }
  }
  const { setTimeout: start, clearTimeout: clear } = globalThis
  globalThis.setTimeout = (work, ...rest) => {
    const id = start((...given) => { open.timers.delete(id); work(...given) }, ...rest)
    if (isOurs()) open.timers.add(id)
    return id
  }
  globalThis.clearTimeout = (id) => { open.timers.delete(id); clear(id) }
  for (const target of [window, document]) {
    const { addEventListener: add, removeEventListener: remove } = target
    target.addEventListener = (name, listener, options) => {
      if (isOurs()) open.listeners.add(listener)
      add.call(target, name, listener, options)
    }
    target.removeEventListener = (name, listener, options) => {
      open.listeners.delete(listener)
      remove.call(target, name, listener, options)
    }
  }
  const { prototype } = host.obsidian.Events
  const { on, offref } = prototype
  prototype.on = function (...given) {
    const ref = on.apply(this, given)
    if (isOurs()) open.refs.add(ref)
    return ref
  }
  prototype.offref = function (ref) { open.refs.delete(ref); offref.call(this, ref) }
}`

const hide = 'Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" })'
const show = 'delete document.visibilityState; document.dispatchEvent(new Event("visibilitychange"))'

const counts = ({ page }: PluginPage) =>
  page.evaluate(
    '({ workers: left.workers.size, timers: left.timers.size, listeners: left.listeners.size, refs: left.refs.size })',
  )
const notes = ({ page }: PluginPage) =>
  page.evaluate('host.plugin.opened().then(({ vault }) => vault.notebook.status()).then(({ notes }) => notes)')

describe('the plugin in an app that is hidden', () => {
  it('builds no index before the app is shown again', async () => {
    const plugin = await openPlugin(browser, { files, script: `${noting};${hide}` })
    const { page } = plugin
    await expect.poll(() => page.evaluate('left.workers.size')).toBe(1)
    // Longer than it takes to begin: a worker that did not rest would have put notes into the index.
    await page.waitForTimeout(2000)
    expect(await notes(plugin)).toBe(0)
    await page.evaluate(show)
    await expect.poll(() => notes(plugin)).toBe(400)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })
})

describe('the plugin, reloaded in the middle of its first index', () => {
  it('has a complete index afterwards, without duplicates', async () => {
    const plugin = await openPlugin(browser, { files, script: noting })
    await expect.poll(() => plugin.page.evaluate('left.workers.size')).toBe(1)
    const page = await plugin.restart()
    await expect.poll(() => notes(plugin)).toBe(400)
    await page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
    const found = await page.evaluate('host.app.cli.get("notewright:search")({ query: "Note 399", limit: "50" })')
    const paths = String(found)
      .split('\n')
      .map((line) => line.replace(/^\S+ +/, ''))
    expect(paths[0]).toBe('Note 399.md')
    expect(new Set(paths).size).toBe(paths.length)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })
})

describe('the plugin, switched off', () => {
  const nothing = { workers: 0, timers: 0, listeners: 0, refs: 0 }

  it.each([
    ['in the middle of its first index', noting, 1],
    ['while the app is hidden', `${noting};${hide}`, 1],
  ])('%s, leaves no worker, timer or listener behind', async (_when, script, workers) => {
    const plugin = await openPlugin(browser, { files, script })
    await expect.poll(() => plugin.page.evaluate('left.workers.size')).toBe(workers)
    expect(await counts(plugin)).not.toEqual(nothing)
    await plugin.page.evaluate('host.disable()')
    await expect.poll(() => counts(plugin)).toEqual(nothing)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })

  it('with a pane open and a note just written, leaves none behind, and works when it is switched on again', async () => {
    const plugin = await openPlugin(browser, { files, script: noting })
    const { page } = plugin
    await plugin.run('open-chat')
    await plugin.run('related-notes')
    await plugin.run('search-notes')
    await page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
    await plugin.write('Note 1.md', 'Quinces.\n')
    await page.evaluate('host.disable()')
    await expect.poll(() => counts(plugin)).toEqual(nothing)
    await page.evaluate('host.enable("notewright")')
    const found = 'host.app.cli.get("notewright:search")({ query: "quinces" })'
    await expect.poll(() => page.evaluate(found)).toMatch(/Note 1\.md/)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })
})
