// Asks a folder of notes. Without a model, the answer quotes your notes; it needs no key and no network.
import { openVault } from 'notewright'

const vault = await openVault('Notes')
const answer = await vault.ask('When do we sow tomatoes?')
console.log(answer.text)
console.log('Sources:', answer.sources.join(', '))
await vault.close()
