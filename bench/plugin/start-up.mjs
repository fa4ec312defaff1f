import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../data.mjs'
import { openPage } from './plugin-place.mjs'

/** The plugin's script as it would be if every module ran when the file is loaded. */
export async function eagerScript(bundlePlugin) {
  const { late } = await bundlePlugin()
  // Inside the repository, so that packages are found.
  const folder = mkdtempSync(join(repository, 'bench', '.cache-'))
  const entry = join(folder, 'eager.ts')
  const main = join(repository, 'src', 'apps', 'obsidian', 'main.ts')
  const lines = [main, ...late].map((id, at) => `export * as all${at} from ${JSON.stringify(id)}`)
  writeFileSync(entry, `export { default } from ${JSON.stringify(main)}\n${lines.join('\n')}\n`)
  try {
    return (await bundlePlugin(entry, { atOnce: true })).code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds to evaluate the script and run `onload`, as it is and with everything at once, by turns in fresh pages. */
export async function measureStartUp(browser, address, rounds) {
  const times = { late: [], eager: [], onload: [] }
  const troubles = []
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? ['late', 'eager'] : ['eager', 'late']) {
      // A context of its own has a process of its own, which has compiled nothing yet.
      const context = await browser.newContext()
      const page = await openPage(context, address, '/empty-vault.json')
      const { evaluated, onload, workers, databases } = await page.evaluate(loadPlugin, `/${name}.js`)
      times[name].push(evaluated + onload)
      if (name === 'late') times.onload.push(onload)
      if (workers + databases > 0) troubles.push(`${workers} workers and ${databases} databases were opened by onload`)
      await context.close()
    }
  }
  // Other programs can only add time, so the minimum counts.
  const [late, eager, onload] = [times.late, times.eager, times.onload].map((all) => Math.min(...all))
  return { late, eager, onload, ratio: late / eager, troubles }
}

async function loadPlugin(address) {
  const code = await (await fetch(address)).text()
  const module = { exports: {} }
  const require = () => host.obsidian
  const dir = '.obsidian/plugins/notewright'
  const begun = performance.now()
  new Function('require', 'module', 'exports', code)(require, module, module.exports)
  const plugin = new module.exports.default(host.app, { id: 'notewright', version: '0', name: 'Notewright', dir })
  const evaluated = performance.now()
  plugin.isLoaded = true
  await plugin.onload()
  const loaded = performance.now()
  return {
    evaluated: evaluated - begun,
    onload: loaded - evaluated,
    workers: workers.length,
    databases: (await indexedDB.databases()).length,
  }
}
