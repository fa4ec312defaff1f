import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { configSchema } from '../src/core/config/index.js'
import { type AgentSetup, defaultProfile, type LanguageModelV3, type Tool } from '../src/core/index.js'
import { builtInTools, defaultToolset, registry } from '../src/core/tools/index.js'
import { openNotebook } from '../src/hosts/node/open-notebook.js'
import { openToolbox } from '../src/hosts/node/open-toolbox.js'
import { stateFolders } from '../src/hosts/node/state/index.js'

export interface SceneOptions {
  model: LanguageModelV3
  modelName: string
  /** Tools of your own, besides the built-in ones. */
  tools?: readonly Tool[]
}

/** Opens the sample vault with its index, tools, policy and log for as long as `use` runs. */
export async function scene(options: SceneOptions, use: (setup: AgentSetup) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'notewright-example-'))
  const config = configSchema.parse({})
  const environment = { NOTEWRIGHT_HOME: home }
  const folders = stateFolders({ environment, platform: process.platform, home, currentFolder: home })
  const notebook = await openNotebook({ root: resolve('examples/vault'), config, folders })
  try {
    await notebook.update({ vectors: false })
    const tools = registry(builtInTools)
    tools.registerAll(options.tools ?? [], 'custom')
    const offered = defaultToolset(tools)
    const { signal } = new AbortController()
    const toolbox = await openToolbox(
      { notebook, config, stateFolder: folders.state, version: 'example', registry: tools, offered },
      { session: 'example', signal, level: 'read-only' },
    )
    await use({
      model: options.model,
      modelName: options.modelName,
      profile: { ...defaultProfile, dialect: 'native' },
      tools: toolbox.setup,
      toolset: tools.enabled(offered, { vault: true }),
      signal,
    })
  } finally {
    await notebook.close()
    await rm(home, { recursive: true, force: true })
  }
}
