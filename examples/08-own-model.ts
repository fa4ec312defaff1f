// A model of your own, here one that follows a script. All the agent asks of a model is `doStream` (see model-from.ts):
// what was said so far goes in, parts come out.
import { openVault } from 'notewright'
import { hasResult, modelFrom } from './model-from.js'

const librarian = modelFrom((prompt) =>
  hasResult(prompt)
    ? { say: 'Keep them dry: "beans three; tomatoes six at least." [[Garden/Seed Saving]]' }
    : { call: 'read_note', input: { path: 'Garden/Seed Saving.md' } },
)

const vault = await openVault('Notes')
const pending = vault.ask('how long do seeds keep?', { model: librarian })
for await (const event of pending) {
  if (event.type === 'tool-result') console.log(`read: ${event.result.ok ? event.result.summary : event.result.text}`)
}
const { text, citations } = await pending
for (const { raw, check } of citations) console.log(`${raw} is ${check}`)
console.log(text)
await vault.close()
