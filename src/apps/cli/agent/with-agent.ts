import { type AgentEvent, type AgentSetup, type Mode, run, type Turn } from '../../../core/agent/index.js'
import type { Asker } from '../../../core/approval/index.js'
import { Failure, type FailureData, failureFromData } from '../../../core/errors.js'
import type { OpenedModel } from '../../../core/providers/index.js'
import { type ModelPlace, nearModels, openAgentModel, vaultInstructions } from '../../../hosts/node/agent/index.js'
import type { Invocation } from '../invocation.js'
import { visibleLine } from '../terminal/index.js'
import { type SessionOptions, type ToolSession, withToolbox } from '../with-toolbox.js'

export interface AgentOptions extends SessionOptions {
  model?: string
  mode?: Mode
  dialect?: string
  maxSteps?: number
  /** `--no-stream`: the model is asked for its reply in one piece. */
  stream?: boolean
  /** `--no-tools`. */
  tools?: boolean
}

/** A vault with its tools and a model to work with them. */
export interface Agent extends ToolSession {
  readonly model: OpenedModel
  readonly session: string
  /** Goes on with another model; fails and stays with this one when there is none of that name. */
  changeModel(name: string): Promise<void>
  run(turn: Omit<Turn, 'id'>, signal: AbortSignal): AsyncGenerator<AgentEvent>
  /** The failure with what helps: names the model may have been meant by. */
  explain(failure: FailureData, signal: AbortSignal): Promise<Failure>
}

/** Opens the vault, its tools and the model for as long as `use` runs. */
export async function withAgent<T>(
  invocation: Invocation,
  options: AgentOptions,
  use: (agent: Agent) => Promise<T>,
  asker?: Asker,
): Promise<T> {
  return withToolbox(invocation, options, async (tools) => use(await openAgent(invocation, options, tools)), asker)
}

async function openAgent(invocation: Invocation, options: AgentOptions, tools: ToolSession): Promise<Agent> {
  const { terminal, surroundings } = invocation
  const { toolbox, notebook, config, folders } = tools
  const { environment, home } = surroundings
  const dialect = options.dialect ?? config.dialect
  const place: ModelPlace = { environment, home, state: folders.state, vault: notebook.root, dialect }
  const open = async (name: string) => {
    const opened = await openAgentModel(name, place)
    terminal.trace(`model ${visibleLine(opened.name)} (${opened.profile.family})`)
    return opened
  }
  let model = await open(options.model ?? config.model)
  const hasTools = options.tools !== false && config.tools.calling
  const vault = await vaultInstructions(toolbox.setup, (text) => terminal.say(visibleLine(text)))

  function setup(mode: Mode, signal: AbortSignal): AgentSetup {
    // Without tools a call is a call to an unknown one; what a mode looks up by itself stays possible.
    const isClosed = !hasTools && (mode === 'agent' || mode === 'chat')
    return {
      model: model.model,
      modelName: model.name,
      profile: model.profile,
      tools: { ...toolbox.setup, offered: isClosed ? new Set() : tools.toolset.names },
      toolset: hasTools ? tools.toolset.tools : [],
      guidance: tools.toolset.guidance,
      ...(vault !== undefined && { instructions: { vault } }),
      ...(options.maxSteps !== undefined && { maxSteps: options.maxSteps }),
      settings: { stream: options.stream },
      signal,
    }
  }

  return {
    ...tools,
    session: toolbox.setup.context.session,
    get model() {
      return model
    },
    async changeModel(name) {
      model = await open(name)
    },
    run: (turn, signal) => run({ id: crypto.randomUUID(), ...turn }, setup(turn.mode, signal)),
    async explain(data, signal) {
      const failure = failureFromData(data)
      const near = await nearModels(model.name, failure, place, signal)
      if (near.length === 0) return failure
      const hint = `Did you mean ${near.join(' or ')}?`
      return new Failure(failure.code, failure.message, { ...failure.details, hint })
    },
  }
}
