// Asks the sample vault a question and prints what happens. `offline` needs no key; for a language model, name one:
// model: 'ollama/qwen3:8b'.
import { scene } from './scene.js'

await scene(async (vault) => {
  const session = await vault.openSession({ model: 'offline', consent: 'read-only' })
  for await (const event of session.ask('when do we sow tomatoes?')) {
    switch (event.type) {
      case 'tool-call':
        console.log(`${event.activity} …`)
        break
      case 'tool-result':
        console.log(event.result.ok ? `… ${event.result.summary}\n` : `… ${event.result.text}\n`)
        break
      case 'text-delta':
        process.stdout.write(event.text)
        break
      case 'citations':
        console.log('\n')
        for (const { path, lines, check } of event.citations) console.log(`${check}: ${path} ${lines?.join('-') ?? ''}`)
        break
      case 'run-end':
        console.log(`\n${event.reason} after ${event.steps} steps`)
    }
  }
})
