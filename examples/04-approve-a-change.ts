// Asks for a change, approves it, and undoes it. Without `approve`, ask() can't change anything.
import { openVault } from 'notewright'

const vault = await openVault('Notes')
const refused = await vault.ask('tag Tomatoes with summer')
console.log(`Without approve: ${refused.refused?.code}, ${refused.changes.length} changes`)

const answer = await vault.ask('tag Tomatoes with summer', {
  approve({ title, changes = [] }) {
    console.log(`Asked: ${title}`)
    for (const { diff } of changes) console.log(diff)
    return changes.length === 1
  },
})
for (const { id, title } of answer.changes) {
  console.log(`Done: ${title}`)
  const undone = await vault.undo(id)
  console.log(`Undone: ${undone.paths.join(', ')}`)
}
await vault.close()
