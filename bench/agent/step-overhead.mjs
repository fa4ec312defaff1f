// Measures our own time per step of a turn: from the model's last word to the next request, with a read in between.
// `node bench/agent/step-overhead.mjs [turns]`
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'
import { median, percentile } from '../statistics.mjs'

const turns = Number(process.argv[2] ?? 60)
const stepsPerTurn = 8
const {
  builtInTools,
  configSchema,
  defaultProfile,
  defaultToolset,
  openFolderNotebook,
  registry,
  run,
  sessionOn,
  scriptedModel,
  stateFolders,
} = await bundled(
  'src/core/agent/index.ts',
  'src/core/model/index.ts',
  'src/core/tools/index.ts',
  'src/core/config/index.ts',
  'test/doubles/scripted-model.ts',
  'src/hosts/node/open-notebook.ts',
  'src/hosts/node/state-folders.ts',
  'test/session/session-on.ts',
)

const home = mkdtempSync(join(tmpdir(), 'notewright-bench-agent-'))
try {
  const root = join(home, 'vault')
  cpSync(join(repository, 'examples/vault'), root, { recursive: true })
  const environment = { NOTEWRIGHT_HOME: join(home, 'home') }
  const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: home })
  const config = configSchema.parse({})
  const notebook = await openFolderNotebook({ root, config, folders })
  await notebook.update({ vectors: false })
  const notes = (await notebook.index.notes()).map(({ path }) => path)
  const tools = registry(builtInTools)
  const { setup } = await sessionOn(notebook, { home, tools })

  const between = []
  for (let turn = 0; turn < turns; turn++) {
    let said
    let step = 0
    const model = scriptedModel([
      () => {
        const now = performance.now()
        // The first turns warm the code up.
        if (said !== undefined && turn >= 5) between.push(now - said)
        step++
        // A little later than now: the words still have to stream, which is counted as ours.
        said = performance.now()
        if (step > stepsPerTurn) return { say: 'Done.' }
        const path = notes[(turn * stepsPerTurn + step) % notes.length]
        return { say: 'Reading on.', call: [{ name: 'read_note', input: { path } }] }
      },
    ])
    const events = run(
      { id: `turn-${turn}`, text: 'Read on.', mode: 'agent' },
      {
        model,
        modelName: 'scripted',
        profile: { ...defaultProfile, stepLimit: 20 },
        tools: setup,
        toolset: tools.enabled(defaultToolset(tools), { vault: true }),
        signal: new AbortController().signal,
      },
    )
    for await (const event of events) if (event.type === 'run-end' && event.reason !== 'answered') throw event.failure
  }
  await notebook.close()
  const [p50, p95] = [median(between), percentile(between, 0.95)].map((ms) => ms.toFixed(2))
  console.log(
    `overhead per step with one read_note, ${between.length} steps: p50 ${p50} ms, p95 ${p95} ms (bar: p95 ≤ 5 ms)`,
  )
} finally {
  rmSync(home, { recursive: true, force: true })
}
