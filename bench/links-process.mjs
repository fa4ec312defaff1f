// Backlinks in one warm process: `node links-process.mjs '{"vault": …, "home": …, "notes": [paths]}'` prints the
// milliseconds of each as JSON. The command line answers one note per process, so the notebook is opened directly.
import { realpathSync } from 'node:fs'
import { bundled } from './bundled.mjs'

const { vault, home, notes } = JSON.parse(process.argv[2])
const { noteLinks, openNotebook, readConfig, stateFolders } = await bundled(
  'src/core/index/note-index.ts',
  'src/hosts/node/open-notebook.ts',
  'src/hosts/node/config.ts',
  'src/hosts/node/state-folders.ts',
)
const environment = { ...process.env, NOTEWRIGHT_HOME: home }
const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: process.cwd() })
const { config } = await readConfig({ file: folders.configFile, environment })
const notebook = await openNotebook({ root: realpathSync(vault), config, folders })
// As every front end does before it answers about links.
await notebook.update({ vectors: false })

const timings = []
let links = 0
for (const note of notes) {
  const start = performance.now()
  const { back } = await noteLinks(notebook.index, note)
  timings.push(performance.now() - start)
  links += back.length
}
await notebook.close()
process.stdout.write(JSON.stringify({ timings, links }))
