// A model of your own, here one that follows a script. All the agent asks of a model is `doStream` (see model-from.ts):
// what was said so far goes in, parts come out.
import { hasResult, modelFrom } from './model-from.js'
import { scene } from './scene.js'

const librarian = modelFrom((prompt) =>
  hasResult(prompt)
    ? { say: 'Keep them dry: "beans three; tomatoes six at least." [[Garden/Seed Saving]]' }
    : { call: 'read_note', input: { path: 'Garden/Seed Saving.md' } },
)

await scene(async (vault) => {
  const session = await vault.openSession({ model: librarian, consent: 'read-only' })
  for await (const event of session.ask('how long do seeds keep?')) {
    if (event.type === 'tool-result') console.log(`read: ${event.result.ok ? event.result.summary : event.result.text}`)
    if (event.type === 'citations') for (const { raw, check } of event.citations) console.log(`${raw} is ${check}`)
    if (event.type === 'run-end') console.log(event.text)
  }
})
