// Asks the sample vault a question and prints what happens. `offline` needs no key; for a language model, use
// openModel('ollama/qwen3:8b', { environment: process.env, fetch }) and pass on its model and profile.
import { run } from '../src/core/index.js'
import { offlineModel } from '../src/core/offline/index.js'
import { scene } from './scene.js'

await scene({ model: offlineModel(), modelName: 'offline' }, async (setup) => {
  for await (const event of run({ id: 'turn-1', text: 'when do we sow tomatoes?', mode: 'agent' }, setup)) {
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
