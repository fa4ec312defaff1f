import { type Asker, type ConsentLevel, consentLevels } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { Notebook } from '../../../core/notebook/index.js'
import { environmentKeys, providers } from '../../../core/providers/index.js'
import { findSession, type Session, type SessionOptions, type SessionStore } from '../../../core/session/index.js'
import { pomodoroEnd, type TraceStep, toolTracer, traceLines } from '../../../core/tools/index.js'
import { type FolderVault, openFolderVault } from '../../../hosts/node/open-vault.js'
import type { StateFolders } from '../../../hosts/node/state/index.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine, visibleText } from '../terminal/index.js'
import { locateVault, readSettings } from './locate-vault.js'

/** What the command line says about a session. */
export interface SessionFlags extends Omit<SessionOptions, 'id' | 'onStep' | 'onTrouble'> {
  /** Its name; false: nothing of it is kept. */
  session?: string | false
  /** The session to go on with, as the person names it. */
  resume?: string
  /** Goes on with the last one. */
  continue?: boolean
  /** Everything that would ask passes; what a rule denies still does not. */
  yes?: boolean
  /** Tools of its own that Codex may use this time. */
  codexTools?: readonly string[]
}

export interface OpenedSession {
  vault: FolderVault
  session: Session
  /** Opens another session in the same way: the one of that id, or a new one. */
  openAnother(id?: string): Promise<Session>
  folders: StateFolders
}

export interface SessionWays {
  /** Who asks the person, in place of the terminal. */
  asker?: Asker
  /** Whoever is connected asks their own person. */
  isRemote?: boolean
  /** The index is left as it is: whoever opens the session brings it up to date. */
  leavesIndex?: boolean
  codexTools?: SessionFlags['codexTools']
  /** The MCP servers of the settings are started; for so long the first are waited for, 0: not at all. */
  serversMs?: number
}

/** So long a turn waits for servers that are just being started. */
export const usualServersMs = 3000

/** Opens the vault for as long as `use` runs. */
export async function withVault<T>(
  invocation: Invocation,
  use: (vault: FolderVault, folders: StateFolders) => Promise<T>,
  { asker, isRemote, codexTools, leavesIndex = false, serversMs }: SessionWays = {},
): Promise<T> {
  const { terminal, surroundings } = invocation
  const setting = await readSettings(invocation, { 'codex.tools': codexTools })
  const { config: settings, folders } = setting
  const { root } = await locateVault(invocation, setting)
  const vault = await openFolderVault({
    root,
    settings,
    folders,
    surroundings,
    desk: { asker: traced(asker, tracing(invocation)), remote: isRemote },
    secrets: await keysOf(invocation),
    onTrouble: (text) => terminal.say(visibleLine(text)),
    startsServers: serversMs !== undefined,
    onServerLine: (server, line) => terminal.trace(`${server}: ${visibleLine(line)}`),
    listsAhead: true,
    readsAhead: true,
  })
  try {
    if (!leavesIndex) await bringUpToDate(vault.notebook, invocation)
    if (serversMs) await vault.servers?.ready(serversMs)
    invocation.signal.throwIfAborted()
    return await use(vault, folders)
  } finally {
    await vault.close()
  }
}

/** Opens the vault and a session on it for as long as `use` runs. */
export async function withSession<T>(
  invocation: Invocation,
  { session: name, resume, continue: goesOn, yes, codexTools, ...options }: SessionFlags,
  use: (opened: OpenedSession) => Promise<T>,
  { asker, leavesIndex, serversMs }: SessionWays = {},
): Promise<T> {
  const { terminal, signal } = invocation
  const trace = tracing(invocation)
  const work = async (vault: FolderVault, folders: StateFolders) => {
    const openAnother = (id?: string) =>
      vault.openSession({
        keep: false,
        ...options,
        ...(name === false && { keep: false }),
        id,
        onStep: toolTracer((line) => terminal.trace(visibleText(line))),
        onTrouble: (text) => terminal.say(visibleLine(text)),
      })
    const session = await openAnother(await sessionMeant(vault.sessions, { name, resume, goesOn }))
    const { offered = [], context } = await session.toolSetup(signal)
    if (terminal.messages.isTTY) {
      const ended = await pomodoroEnd(context).catch(() => undefined)
      if (ended !== undefined) terminal.say(ended)
    }
    for (const tool of offered) trace({ step: 'registered', tool })
    return use({ vault, session, openAnother, folders })
  }
  const whoAsks = yes ? sayYes : (asker ?? (await personAt(invocation)))
  return withVault(invocation, work, { asker: whoAsks, leavesIndex, codexTools, serversMs })
}

function tracing({ terminal }: Invocation): (step: TraceStep) => void {
  return (step) => {
    for (const line of traceLines(step)) terminal.trace(visibleLine(line))
  }
}

/** The id of the session that the flags name; undefined for a new one. */
async function sessionMeant(
  sessions: SessionStore,
  { name, resume, goesOn }: { name?: string | false; resume?: string; goesOn?: boolean },
): Promise<string | undefined> {
  if (resume !== undefined) return (await findSession(sessions, resume)).id
  if (!goesOn) return name === false ? undefined : name
  const [last] = await sessions.list()
  if (last !== undefined) return last.id
  throw new Failure('not-found', 'There is no session to go on with yet.', { hint: 'Begin one: notewright chat' })
}

/** The same, with a model that is there to answer. */
export function withAgent<T>(
  invocation: Invocation,
  flags: SessionFlags,
  use: (opened: OpenedSession) => Promise<T>,
  ways: SessionWays = {},
): Promise<T> {
  const work = async (opened: OpenedSession) => {
    const { name, profile } = await opened.session.model()
    invocation.terminal.trace(`model ${visibleLine(name)} (${profile.family})`)
    return use(opened)
  }
  return withSession(invocation, { keep: true, ...flags }, work, { serversMs: usualServersMs, ...ways })
}

/** Tools answer from the index, so a vault that was never indexed is read first, and so are the changes since. */
async function bringUpToDate(notebook: Notebook, { terminal, signal }: Invocation): Promise<void> {
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
  const { terminalAsker, terminalConversation } = await import('../approval/index.js')
  return terminalAsker(terminalConversation(terminal))
}

/** Keys this process was started with: whatever a tool is called with, they stay out of the log. */
export async function keysOf({ surroundings }: Invocation): Promise<string[]> {
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
