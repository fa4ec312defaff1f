import { basename } from 'node:path'
import type { LoggedCall, LoggedRequest } from '../../../../core/tools/index.js'
import { callsFolder, readEgress, readLog } from '../../../../hosts/node/call-log/index.js'
import { type FolderVault, takeUpServers } from '../../../../hosts/node/open-vault.js'
import { type StateFolders, vaultFolders } from '../../../../hosts/node/state/index.js'
import { type WebSetup, webDoors } from '../../../web/index.js'
import type { Invocation } from '../../program/invocation.js'
import { setupPlace } from '../../session/locate-vault.js'
import { tokenFor } from '../../session/server-token.js'
import { withVault } from '../../session/with-session.js'
import { visibleLine } from '../../terminal/index.js'
import { announce } from './announce.js'
import { chooseVault } from './choose-vault.js'
import { modelsHere } from './models-here.js'
import { start, until, type WebOptions } from './serve-page.js'

/** Serves the page until it is told to stop. The link lets one browser in, once. */
export async function web(typed: Invocation, options: WebOptions): Promise<void> {
  const chosen = await chooseVault(typed, options)
  const invocation = chosen ? { ...typed, options: { ...typed.options, vault: chosen.root } } : typed
  const serve = async (vault: FolderVault, folders: StateFolders) => {
    if (options.model !== undefined) vault.settings = { ...vault.settings, model: options.model }
    const token = await tokenFor(invocation)
    const place = serversPlace(invocation, options)
    const { doors, newCode } = await webDoors({
      vault,
      name: basename(vault.notebook.root),
      token,
      place,
      takeUpServers: () =>
        takeUpServers(vault, {
          folders,
          surroundings: place.surroundings,
          onTrouble: place.onTrouble,
          onServerLine: place.onLine,
        }),
      models: () => modelsHere(place),
      calls: (last) => lastCalls(callsFolder(vaultFolders(folders, vault.notebook.root).journal), last),
      requests: (last) => lastRequests(callsFolder(vaultFolders(folders, vault.notebook.root).journal), last),
      onTrouble: place.onTrouble,
    })
    const port = chosen?.port ?? options.port
    const server = await start(invocation, { token, doors, port, usualPort: vault.settings.serve.port })
    const stopFollowing = vault.notebook.follow()
    // Whoever has chosen the vault on the page is in already.
    if (chosen === undefined) announce(invocation, `${server.url}/#code=${newCode()}`, options.open)
    await until(invocation.signal)
    stopFollowing()
    await server.close()
  }
  await withVault(invocation, serve, { isRemote: true, leavesIndex: true, serversMs: 0 })
}

/** The model of the command line counts until another is chosen on the page. */
function serversPlace(invocation: Invocation, { model }: WebOptions): WebSetup['place'] {
  const { terminal } = invocation
  const place = setupPlace(invocation)
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
