import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../../core/errors.js'
import type { LoggedCall, LoggedRequest } from '../../../core/tools/index.js'
import { accessKeys } from '../../../hosts/node/access-keys.js'
import { installedModels } from '../../../hosts/node/agent-model.js'
import { readEgress, readLog } from '../../../hosts/node/call-log.js'
import { findVault, listVaultCandidates, requestedVault } from '../../../hosts/node/find-vault.js'
import type { FolderVault } from '../../../hosts/node/open-vault.js'
import { applyServerSettings } from '../../../hosts/node/open-vault.js'
import { providerRows } from '../../../hosts/node/settings/providers.js'
import type { SettingsLocation } from '../../../hosts/node/settings/settings.js'
import { changeSetting } from '../../../hosts/node/settings/settings.js'
import type { StateFolders } from '../../../hosts/node/state-folders.js'
import { vaultFolders } from '../../../hosts/node/state-folders.js'
import type { PagePorts } from '../../../hosts/node/web-page.js'
import { browserLogins, openPageState, pagePorts } from '../../../hosts/node/web-page.js'
import type { Mount, RunningServer } from '../../server/index.js'
import { startServer } from '../../server/index.js'
import type { ModelChoice, WebSetup } from '../../web/index.js'
import { chooseVaultMounts, webMounts } from '../../web/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { wholeNumber } from '../program/options.js'
import { withVault } from '../session/open-session.js'
import { readSettings, settingsLocation } from '../session/settings.js'
import { jsonLine, visibleLine } from '../terminal/terminal.js'

export const declareWeb: DeclareCommand = (command, run) => {
  command
    .option(
      '--port <number>',
      'port to listen on; 0 for any free port (default: the last port of this vault)',
      wholeNumber(0, 65_535),
    )
    .option('-m, --model <model>', 'model for new chats, as provider/model, or offline')
    .option('--no-open', 'print the link without opening a browser')
    .addHelpText(
      'after',
      examples(
        ['notewright web'],
        ['notewright web --vault ~/Notes -m ollama/qwen3:8b'],
        ['notewright web --no-open --port 0 --json', 'the link as one JSON line'],
      ),
    )
    .action((options) => run((to) => web(to, options)))
}

/** Serves the page until stopped. The link signs one browser in, once. */
export async function web(typed: Invocation, options: WebOptions): Promise<void> {
  const chosen = await chooseVault(typed, options)
  const invocation = chosen ? { ...typed, options: { ...typed.options, vault: chosen.root } } : typed
  const serve = async (vault: FolderVault, folders: StateFolders) => {
    if (options.model !== undefined) vault.settings = { ...vault.settings, model: options.model }
    const { root } = vault.notebook
    const pageState = await openPageState({ state: folders.state, vault: root })
    const place = serversPlace(invocation, options)
    const { mounts, newCode } = await webMounts({
      vault,
      name: basename(root),
      logins: browserLogins(pageState),
      keys: accessKeys(folders.state, { onTrouble: place.onTrouble }),
      place,
      takeUpServers: () =>
        applyServerSettings(vault, {
          folders,
          surroundings: place.surroundings,
          onTrouble: place.onTrouble,
          onServerLine: place.onLine,
        }),
      models: () => availableModels(place),
      calls: (last) => lastCalls(vaultFolders(folders, root).journal, last),
      requests: (last) => lastRequests(vaultFolders(folders, root).journal, last),
      onTrouble: place.onTrouble,
    })
    const server = await startPage(invocation, {
      mounts,
      ports: pagePorts(pageState, root),
      port: chosen?.port ?? options.port,
      isRemembered: options.port !== 0,
      servePort: vault.settings.serve.port,
    })
    const stopFollowing = vault.notebook.follow()
    // The browser that chose the vault is signed in already.
    if (chosen === undefined) announce(invocation, `${server.url}/#code=${newCode()}`, options.open)
    await untilAborted(invocation.signal)
    stopFollowing()
    await server.close()
  }
  await withVault(invocation, serve, { isRemote: true, leavesIndex: true, serversMs: 0 })
}

/** The model of the command line applies until another is chosen on the page. */
function serversPlace(invocation: Invocation, { model }: WebOptions): WebSetup['place'] {
  const { terminal } = invocation
  const place = settingsLocation(invocation)
  return {
    ...place,
    flags: { ...place.flags, ...(model !== undefined && { model }) },
    onTrouble: (text) => terminal.say(visibleLine(text)),
    onLine: (server, line) => terminal.trace(`${server}: ${visibleLine(line)}`),
  }
}

async function lastCalls(folder: string, last: number): Promise<LoggedCall[]> {
  const calls: LoggedCall[] = []
  for await (const call of readLog({ folder, last })) calls.push(call)
  return calls
}

async function lastRequests(folder: string, last: number): Promise<LoggedRequest[]> {
  return (await readEgress({ folder })).filter((sent): sent is LoggedRequest => 'provider' in sent).slice(-last)
}

export interface WebOptions {
  port?: number
  model?: string
  open: boolean
}

interface PageStart {
  mounts: Mount[]
  ports: PagePorts
  /** The port that was asked for; 0 for any that is free. */
  port?: number | undefined
  /** True if the next start uses the same port. A port that was free by chance is not remembered. */
  isRemembered: boolean
  /** The port of `notewright serve`, which is left to it. */
  servePort: number
}

/**
 * Serves the page on the port it had before, since browsers are signed in to that port alone. The first start of a vault
 * chooses a port that no other vault has.
 */
export async function startPage({ terminal }: Invocation, start: PageStart): Promise<RunningServer> {
  const log = (line: string) => terminal.trace(visibleLine(line))
  const listenOn = (port: number) => startServer({ mounts: start.mounts, host: '127.0.0.1', port, log })
  const server = await onItsPort(start, listenOn)
  if (start.isRemembered) await start.ports.remember(server.port)
  return server
}

type ListenOn = (port: number) => Promise<RunningServer>

async function onItsPort({ port, ports, servePort }: PageStart, listenOn: ListenOn): Promise<RunningServer> {
  if (port !== undefined) return listenOn(port)
  const { remembered, candidates } = ports
  if (remembered === undefined)
    return firstFree(
      candidates.filter((one) => one !== servePort),
      listenOn,
    )
  try {
    return await listenOn(remembered)
  } catch (error) {
    throw isTaken(error) ? portTaken(remembered) : error
  }
}

async function firstFree(candidates: readonly number[], listenOn: ListenOn): Promise<RunningServer> {
  for (const port of candidates) {
    try {
      return await listenOn(port)
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  return listenOn(0)
}

const isTaken = (error: unknown): boolean => error instanceof Failure && error.details.data?.cause === 'EADDRINUSE'

function portTaken(port: number): Failure {
  return new Failure('conflict', `Port ${port} is in use. Browsers are signed in to this vault on that port.`, {
    hint: `If notewright web is already running, open http://127.0.0.1:${port} or stop it first. To use another port, run: notewright web --port NUMBER. You'll sign in again there.`,
  })
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

export interface ChosenVault {
  root: string
  /** The address at which the page waits until the vault is opened. */
  port: number
}

/** Lets the user choose on the page if no vault is configured or certain. undefined: there is one. */
export async function chooseVault(invocation: Invocation, options: WebOptions): Promise<ChosenVault | undefined> {
  const { surroundings, signal } = invocation
  const { loaded, config, folders } = await readSettings(invocation)
  if (requestedVault(loaded) !== undefined) return undefined
  // No vault found is the case this is for.
  const found = await findVault(undefined, surroundings).catch(() => undefined)
  const vaults = await listVaultCandidates(surroundings)
  if (found !== undefined && (found.from === 'this folder' || vaults.length === 1)) return undefined

  const sample = join(surroundings.home, 'Notewright sample')
  let chosen = (_root: string) => {}
  const choice = new Promise<string | undefined>((take) => {
    chosen = take
    void untilAborted(signal).then(() => take(undefined))
  })
  const pageState = await openPageState({ state: folders.state })
  const { mounts, newCode } = await chooseVaultMounts(
    {
      vaults,
      sample,
      async choose(wish) {
        if ('path' in wish) chosen(await chosenFolder(invocation, wish.path))
        else chosen(await copiedSample(sample))
      },
    },
    browserLogins(pageState),
  )
  const server = await startPage(invocation, {
    mounts,
    ports: pagePorts(pageState, undefined),
    port: options.port,
    isRemembered: options.port !== 0,
    servePort: config.serve.port,
  })
  announce(invocation, `${server.url}/#code=${newCode()}`, options.open)
  const root = await choice
  await server.close()
  signal.throwIfAborted()
  // `!`: without a choice the signal was aborted.
  return { root: root!, port: server.port }
}

/** Kept as the vault of the settings. */
async function chosenFolder(invocation: Invocation, path: string): Promise<string> {
  const { surroundings } = invocation
  const given = resolve(surroundings.currentFolder, path.replace(/^~(?=$|[/\\])/, surroundings.home))
  const { root } = await findVault({ path: given, source: 'file' }, surroundings)
  await changeSetting(settingsLocation(invocation), 'vault', root)
  return root
}

/** A copy that is the user's own to change; one that is there already is left as it is. */
async function copiedSample(to: string): Promise<string> {
  const places = ['../../examples/vault', '../examples/vault', '../../../../../examples/vault'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const from = places.find(existsSync)
  if (from === undefined)
    throw new Failure('not-found', 'This installation has no sample vault.', {
      hint: 'Choose a folder instead.',
    })
  if (!existsSync(to)) await cp(from, to, { recursive: true })
  return to
}

export function announce({ terminal }: Invocation, url: string, open: boolean): void {
  if (terminal.json) terminal.print(jsonLine({ url }))
  else {
    terminal.print(`Your notes: ${url}`)
    terminal.say('Open this link within two minutes. Press Ctrl-C to stop.')
  }
  if (open) openBrowser(url)
}

/** The user's own browser; where there is none, the link was printed. */
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

/** Models of this machine: local servers, files on disk, and offline. */
export async function availableModels(place: SettingsLocation): Promise<ModelChoice[]> {
  const { environment, home } = place.surroundings
  const [rows, installed] = await Promise.all([
    providerRows(place),
    installedModels({ environment, home }).catch(() => []),
  ])
  const running = rows.flatMap(({ models = [], address }) =>
    models.map((model) => ({ model, about: `running at ${address}` })),
  )
  const idle = installed
    .filter((model) => !running.some((one) => one.model === model))
    .map((model) => ({
      model,
      about: `downloaded; start ${model.startsWith('ollama/') ? 'Ollama' : 'LM Studio'} first`,
    }))
  return [...running, ...idle, { model: 'offline', about: 'searches and quotes your notes, without an AI model' }]
}
