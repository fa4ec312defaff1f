import { type Asker, type ConsentLevel, consentLevels } from '../../core/approval/index.js'
import type { Config } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import { environmentKeys, providers } from '../../core/providers/index.js'
import { type TraceStep, toolTracer, traceLines } from '../../core/tools/index.js'
import { type FolderNotebook, openNotebook } from '../../hosts/node/open-notebook.js'
import { openToolbox, type Toolbox } from '../../hosts/node/open-toolbox.js'
import type { StateFolders } from '../../hosts/node/state/index.js'
import { type ConfiguredTools, configuredTools } from './configured-tools.js'
import type { Invocation } from './invocation.js'
import { locateVault, readSettings } from './open-vault.js'
import { visibleLine } from './terminal/index.js'

/** How much a run may do, from the command line. */
export interface SessionOptions {
  consent?: ConsentLevel
  allow?: string[]
  deny?: string[]
  /** Everything that would ask passes; what a rule denies still does not. */
  yes?: boolean
  dryRun?: boolean
  session?: string
}

export interface ToolSession extends ConfiguredTools {
  toolbox: Toolbox
  notebook: FolderNotebook
  config: Config
  folders: StateFolders
}

/** Opens the vault with its tools for as long as `use` runs. */
export async function withToolbox<T>(
  invocation: Invocation,
  options: SessionOptions,
  use: (session: ToolSession) => Promise<T>,
  asker?: Asker,
): Promise<T> {
  const { terminal, signal, version } = invocation
  const setting = await readSettings(invocation)
  const { config, folders } = setting
  const { root } = await locateVault(invocation, setting)
  const { registry, toolset } = configuredTools(config)
  const trace = (step: TraceStep) => {
    for (const line of traceLines(step)) terminal.trace(visibleLine(line))
  }
  for (const tool of toolset.names) trace({ step: 'registered', tool })
  const notebook = await openNotebook({ root, config, folders }, { listsAhead: true, readsAhead: true })
  try {
    await bringUpToDate(notebook, invocation)
    const toolbox = await openToolbox(
      { notebook, config, stateFolder: folders.state, version, registry, offered: toolset.names },
      {
        session: options.session ?? `cli-${crypto.randomUUID()}`,
        signal,
        level: options.consent,
        allow: options.allow,
        deny: options.deny,
        asker: traced(options.yes ? sayYes : (asker ?? (await personAt(invocation))), trace),
        dryRun: options.dryRun,
        secrets: await keysOf(invocation),
        onStep: toolTracer((line) => terminal.trace(visibleLine(line))),
        onTrouble: (text) => terminal.say(visibleLine(text)),
      },
    )
    return await use({ toolbox, registry, toolset, notebook, config, folders })
  } finally {
    await notebook.close()
  }
}

/** Tools answer from the index, so a vault that was never indexed is read first, and so are the changes since. */
async function bringUpToDate(notebook: FolderNotebook, { terminal, signal }: Invocation): Promise<void> {
  if ((await notebook.freshness()) === 'fresh') return
  const bar = terminal.progress()
  await notebook.update({ signal, vectors: false, onProgress: bar.show }).finally(() => bar.clear())
}

function traced(asker: Asker | undefined, trace: (step: TraceStep) => void): Asker | undefined {
  if (asker === undefined) return undefined
  return (panel, signal) => {
    const calls = panel.kind === 'batch' ? panel.requests : panel.kind === 'question' ? [] : [panel]
    for (const { tool } of calls) trace({ step: 'asking', tool: tool.name })
    return asker(panel, signal)
  }
}

/** Loaded only when someone is there to be asked. */
async function personAt({ terminal }: Invocation): Promise<Asker | undefined> {
  if (!terminal.canAsk) return undefined
  const { terminalAsker, terminalConversation } = await import('./approval/index.js')
  return terminalAsker(terminalConversation(terminal))
}

/** Keys this process was started with: whatever a tool is called with, they stay out of the log. */
async function keysOf({ surroundings }: Invocation): Promise<string[]> {
  const find = environmentKeys(surroundings.environment)
  const found = await Promise.all(providers.map(find))
  return found.flatMap((key) => (key === undefined ? [] : [key.reveal()]))
}

/** `--yes`: the person has agreed beforehand, once, to whatever this run would ask. */
const sayYes: Asker = async (panel) => {
  // Nobody has agreed beforehand to tell a server something.
  if (panel.kind === 'question') return undefined
  return panel.kind === 'batch'
    ? { verdict: 'each', answers: Object.fromEntries(panel.requests.map(({ id, pick }) => [id, agreed(pick)])) }
    : agreed(panel.pick)
}

function agreed(pick: readonly string[] | undefined) {
  return { verdict: 'allow' as const, scope: 'once' as const, ...(pick && { picked: pick }) }
}

export function readLevel(text: string): ConsentLevel {
  const level = consentLevels.find((known) => known === text)
  if (level === undefined)
    throw new Failure('invalid-input', `There is no consent level ${text}.`, {
      hint: `There is ${consentLevels.join(', ')}.`,
    })
  return level
}
