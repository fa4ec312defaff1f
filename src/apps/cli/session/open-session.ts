import { type AskUser, askEach, type ConsentLevel, consentLevels } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { Notebook } from '../../../core/index/index.js'
import { environmentKeys, providers } from '../../../core/providers/index.js'
import { findSession, type Session, type SessionOptions, type SessionStore } from '../../../core/session/index.js'
import { pomodoroEnd, type TraceStep, toolTracer, traceLines } from '../../../core/tools/index.js'
import { type FolderVault, openFolderVault } from '../../../hosts/node/open-vault.js'
import type { StateFolders } from '../../../hosts/node/state-folders.js'
import type { Invocation } from '../program/invocation.js'
import { terminalText, visibleLine } from '../terminal/terminal.js'
import { approvePrograms, startsIn } from './programs.js'
import { locateVault, readSettings } from './settings.js'

/** The flags of a session. */
export interface SessionFlags extends Omit<SessionOptions, 'id' | 'onStep' | 'onTrouble'> {
  /** Its name; false: it is not stored. */
  session?: string | false
  /** The session to continue with, as the user names it. */
  resume?: string
  /** Continues the last one. */
  continue?: boolean
  /** Approves everything that would ask; denying rules still apply. */
  yes?: boolean | undefined
  /** Codex's own tools allowed this time. */
  codexTools?: readonly string[]
}

export interface OpenedSession {
  vault: FolderVault
  session: Session
  /** Opens another session in the same way: the one of that id, or a new one. */
  openAnother(id?: string): Promise<Session>
  folders: StateFolders
}

interface OpenVaultOptions {
  /** Asks the user, in place of the terminal. */
  asker?: AskUser | undefined
  /** Connected clients ask their own users. */
  isRemote?: boolean
  /** Skips the index update: the caller updates it. */
  leavesIndex?: boolean | undefined
  codexTools?: SessionFlags['codexTools']
  /** The MCP servers of the settings are started; for so long the first are waited for, 0: not at all. */
  serversMs?: number | undefined
  /** The model of the session, where it is not the one of the settings. */
  model?: string | undefined
}

/** A turn waits this long for servers that are still starting. */
export const defaultServersWaitMs = 3000

/** Opens the vault for as long as `use` runs. */
export async function withVault<T>(
  invocation: Invocation,
  use: (vault: FolderVault, folders: StateFolders) => Promise<T>,
  { asker, isRemote, codexTools, leavesIndex = false, serversMs, model }: OpenVaultOptions = {},
): Promise<T> {
  const { terminal, surroundings } = invocation
  const setting = await readSettings(invocation, { 'codex.tools': codexTools })
  const { config: settings, folders } = setting
  const { root } = await locateVault(invocation, setting)
  if (serversMs !== undefined && !isRemote) await approvePrograms(invocation, startsIn(setting, model))
  const vault = await openFolderVault({
    root,
    settings,
    folders,
    surroundings,
    approvalOptions: { askPerson: traced(asker, tracing(invocation)), remote: isRemote },
    hasTerminal: isRemote !== true,
    sharesApprovals: asker !== undefined && asker !== sayYes,
    secrets: await environmentSecrets(invocation),
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
  { asker, leavesIndex, serversMs }: OpenVaultOptions = {},
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
        onStep: toolTracer((line) => terminal.trace(terminalText(line))),
        onTrouble: (text) => terminal.say(visibleLine(text)),
      })
    const session = await openAnother(await resolveSessionId(vault.sessions, { name, resume, goesOn }))
    const { offered = [], context } = await session.toolSetup(signal)
    if (terminal.messages.isTTY) {
      // A timer that cannot be read is no reason to refuse the question.
      const ended = await pomodoroEnd(context).catch(() => undefined)
      if (ended !== undefined) terminal.say(ended)
    }
    for (const tool of offered) trace({ step: 'registered', tool })
    return use({ vault, session, openAnother, folders })
  }
  const whoAsks = yes ? sayYes : (asker ?? (await terminalUser(invocation)))
  const model = typeof options.model === 'string' ? options.model : undefined
  return withVault(invocation, work, { asker: whoAsks, leavesIndex, codexTools, serversMs, model })
}

function tracing({ terminal }: Invocation): (step: TraceStep) => void {
  return (step) => {
    for (const line of traceLines(step)) terminal.trace(visibleLine(line))
  }
}

/** The id of the session that the flags name; undefined for a new one. */
async function resolveSessionId(
  sessions: SessionStore,
  {
    name,
    resume,
    goesOn,
  }: { name?: string | false | undefined; resume?: string | undefined; goesOn?: boolean | undefined },
): Promise<string | undefined> {
  if (resume !== undefined) return (await findSession(sessions, resume)).id
  if (!goesOn) return name === false ? undefined : name
  const [last] = await sessions.list()
  if (last !== undefined) return last.id
  throw new Failure('not-found', 'No chat to continue yet.', { hint: 'Start one: notewright chat' })
}

/** The same, with a model that is there to answer. */
export function withAgent<T>(
  invocation: Invocation,
  flags: SessionFlags,
  use: (opened: OpenedSession) => Promise<T>,
  ways: OpenVaultOptions = {},
): Promise<T> {
  const work = async (opened: OpenedSession) => {
    const { name, profile } = await opened.session.model()
    invocation.terminal.trace(`model ${visibleLine(name)} (${profile.family})`)
    return use(opened)
  }
  return withSession(invocation, { keep: true, ...flags }, work, { serversMs: defaultServersWaitMs, ...ways })
}

/** Tools answer from the index, so a vault that was never indexed is read first, and so are the changes since. */
async function bringUpToDate(notebook: Notebook, { terminal, signal }: Invocation): Promise<void> {
  if ((await notebook.freshness()) === 'fresh') return
  const bar = terminal.progress()
  await notebook.update({ signal, vectors: false, onProgress: bar.show }).finally(() => bar.clear())
}

function traced(asker: AskUser | undefined, trace: (step: TraceStep) => void): AskUser | undefined {
  if (asker === undefined) return undefined
  return (panel, signal) => {
    const calls = panel.kind === 'batch' ? panel.requests : panel.kind === 'question' ? [] : [panel]
    for (const { tool } of calls) trace({ step: 'asking', tool: tool.name })
    return asker(panel, signal)
  }
}

/** Loaded only if a user is available. */
async function terminalUser({ terminal }: Invocation): Promise<AskUser | undefined> {
  if (!terminal.canAsk) return undefined
  const [{ terminalAsker }, { terminalQuestions }] = await Promise.all([
    import('../approval/terminal-asker.js'),
    import('../approval/questions.js'),
  ])
  return terminalAsker(terminalQuestions(terminal))
}

/** Keys from this process's environment: they are redacted from the log, whatever a tool is called with. */
export async function environmentSecrets({ surroundings }: Invocation): Promise<string[]> {
  const find = environmentKeys(surroundings.environment)
  const found = await Promise.all(providers.map(find))
  return found.flatMap((key) => (key === undefined ? [] : [key.reveal()]))
}

/** `--yes`: the user approves in advance everything this run would ask. */
const sayYes = askEach(() => true)

export function readLevel(text: string): ConsentLevel {
  const level = consentLevels.find((known) => known === text)
  if (level === undefined)
    throw new Failure('invalid-input', `Unknown approval level: ${text}`, {
      hint: `Use one of: ${consentLevels.join(', ')}.`,
    })
  return level
}
