// Finds notes by words and by meaning, and reads one.
import { openVault } from 'notewright'

const vault = await openVault('Notes')
const { hits } = await vault.search('keeping slugs away', { limit: 3, folder: 'Garden' })
for (const { path, lines, score } of hits) console.log(`${score.toFixed(2)} ${path}:${lines[0]}`)

// By its path, its name or an alias.
const note = await vault.read('Slugs')
console.log(`${note.title} has ${note.text.length} characters and the tags ${note.tags.join(', ')}.`)
await vault.close()
