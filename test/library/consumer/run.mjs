// Opens the folder it is given with the installed library; prints what a search finds.
import { join } from 'node:path'
import * as library from 'notewright'
import * as core from 'notewright/core'

const [root, home] = process.argv.slice(2)
const environment = { NOTEWRIGHT_HOME: home }
const folders = library.stateFolders({ environment, platform: process.platform, home, currentFolder: home })
const { config } = await library.readConfig({ file: join(home, 'config.json'), environment })
const notebook = await library.openNotebook({ root, config, folders })
// Vectors are made in a thread, whose file the library has to find.
const { notes } = await notebook.update()
const { hits } = await notebook.index.search({ query: 'oxheart', limit: 3 })
const failure = await notebook.index.find('no such note').catch((error) => error)
await notebook.close()
const missing = Object.keys(core).filter((name) => !(name in library))
const found = hits.map(({ path }) => path)
console.log(JSON.stringify({ notes, found, isOneFailure: failure instanceof core.Failure, missing }))
