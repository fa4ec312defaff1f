// Opens the folder it is given with the installed library; prints what a search finds.
import * as library from 'notewright'
import * as core from 'notewright/core'

const [root, home] = process.argv.slice(2)
const vault = await library.openVault(root, { environment: { NOTEWRIGHT_HOME: home } })
// Vectors are made in a thread, whose file the library has to find.
const { notes } = await vault.notebook.update()
const { hits } = await vault.notebook.index.search({ query: 'oxheart', limit: 3 })
const failure = await vault.notebook.index.find('no such note').catch((error) => error)
const same = (await vault.search('oxheart', { limit: 3 })).hits.map(({ path }) => path)
const { text } = await vault.read('tomatoes')
const answer = await vault.ask('tag Tomatoes with summer', { approve: () => true })
const tagged = (await vault.read('tomatoes')).tags
await vault.undo(answer.changes[0].id)
const isUndone = (await vault.read('tomatoes')).text === text
await vault[Symbol.asyncDispose]()
const missing = Object.keys(core).filter((name) => !(name in library))
const found = hits.map(({ path }) => path)
console.log(
  JSON.stringify({ notes, found, isOneFailure: failure instanceof core.Failure, missing, same, tagged, isUndone }),
)
