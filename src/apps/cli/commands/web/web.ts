import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { Failure } from '../../../../core/errors.js'
import type { LoggedCall } from '../../../../core/tools/index.js'
import { installedModels } from '../../../../hosts/node/agent/index.js'
import { callsFolder, readLog } from '../../../../hosts/node/call-log/index.js'
import type { FolderVault } from '../../../../hosts/node/open-vault.js'
import { type StateFolders, vaultFolders } from '../../../../hosts/node/state/index.js'
import { type Door, type RunningServer, startServer } from '../../../server/index.js'
import { type ModelChoice, webDoors } from '../../../web/index.js'
import type { Invocation } from '../../program/invocation.js'
import { providerRows } from '../../session/provider-rows.js'
import { tokenFor } from '../../session/server-token.js'
import { withVault } from '../../session/with-session.js'
import { jsonLine, visibleLine } from '../../terminal/index.js'

export interface WebOptions {
  port?: number
  model?: string
  open: boolean
}

/** Serves the page until it is told to stop. The link lets one browser in, once. */
export async function web(invocation: Invocation, options: WebOptions): Promise<void> {
  const { terminal, signal } = invocation
  const serve = async (vault: FolderVault, folders: StateFolders) => {
    if (options.model !== undefined) vault.settings = { ...vault.settings, model: options.model }
    const token = await tokenFor(invocation)
    const { doors, newCode } = await webDoors({
      vault,
      name: basename(vault.notebook.root),
      token,
      models: () => modelsHere(invocation),
      calls: (last) => lastCalls(callsFolder(vaultFolders(folders, vault.notebook.root).journal), last),
      onTrouble: (text) => terminal.say(visibleLine(text)),
    })
    const server = await start(invocation, vault, { token, doors, port: options.port })
    // The page is there at once; what the index has not seen is read meanwhile.
    vault.notebook.updateBehind({ vectors: vault.settings.index.vectors }).done.catch((error: Error) => {
      terminal.say(visibleLine(error.message))
    })
    const stopFollowing = vault.notebook.follow()
    announce(invocation, `${server.url}/#code=${newCode()}`, options.open)
    await until(signal)
    stopFollowing()
    await server.close()
  }
  await withVault(invocation, serve, { isRemote: true, leavesIndex: true })
}

interface Start {
  token: string
  doors: Door[]
  port?: number
}

/** The port of the settings may be taken by another window of ours: then any will do, unless the person named one. */
async function start(
  { terminal }: Invocation,
  { settings }: FolderVault,
  { token, doors, port }: Start,
): Promise<RunningServer> {
  const setup = { host: '127.0.0.1', token, doors, log: (line: string) => terminal.trace(visibleLine(line)) }
  try {
    return await startServer({ ...setup, port: port ?? settings.serve.port })
  } catch (error) {
    if (port !== undefined || !(error instanceof Failure)) throw error
    return startServer({ ...setup, port: 0 })
  }
}

async function lastCalls(folder: string, last: number): Promise<LoggedCall[]> {
  const calls: LoggedCall[] = []
  for await (const call of readLog({ folder, last })) calls.push(call)
  return calls
}

/** What runs on this machine and what lies on its disk, who has a key, and what is always there. */
async function modelsHere(invocation: Invocation): Promise<ModelChoice[]> {
  const { environment, home } = invocation.surroundings
  const [rows, installed] = await Promise.all([
    providerRows(invocation),
    installedModels({ environment, home }).catch(() => []),
  ])
  const running = rows.flatMap(({ models = [], address }) =>
    models.map((model) => ({ model, about: `runs at ${address}` })),
  )
  const idle = installed
    .filter((model) => !running.some((one) => one.model === model))
    .map((model) => ({
      model,
      about: `on this disk; start ${model.startsWith('ollama/') ? 'Ollama' : 'LM Studio'} first`,
    }))
  return [...running, ...idle, { model: 'offline', about: 'searches and quotes, without a language model' }]
}

function announce({ terminal }: Invocation, url: string, open: boolean): void {
  if (terminal.json) terminal.print(jsonLine({ url }))
  else {
    terminal.print(`Your notes are at ${url}`)
    terminal.say('The link lets one browser in, once, within two minutes. Ctrl-C ends it.')
  }
  if (open) openBrowser(url)
}

/** The person's own browser; where there is none, the link was printed. */
function openBrowser(url: string): void {
  const [command, ...rest] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(command, [...rest, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
