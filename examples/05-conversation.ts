// Several questions, each building on those before. With an id, the conversation is stored and can be continued later.
import { openVault } from 'notewright'

const vault = await openVault('Notes')
const session = await vault.session({ id: 'garden' })
for (const question of ['When do we sow tomatoes?', 'What do slugs eat?']) {
  const { sources } = await session.ask(question)
  console.log(`${question} See ${sources[0]}.`)
}
await session.close()
console.log(`Stored: ${(await vault.sessions.list()).map(({ id }) => id)}`)
await vault.close()
