// Shows an answer while it is written. For a language model, name one: vault.ask('…', { model: 'ollama/qwen3:8b' }).
import { openVault } from 'notewright'

const vault = await openVault('Notes')
const pending = vault.ask('When do we sow tomatoes?')
for await (const event of pending) {
  if (event.type === 'tool-call') console.log(`${event.activity} …`)
  if (event.type === 'text-delta') process.stdout.write(event.text)
}

// The same call can be awaited too, for what the events add up to.
const { citations } = await pending
console.log()
for (const { check, path, lines } of citations) console.log(`${check}: ${path}, line ${lines?.[0]}`)
await vault.close()
