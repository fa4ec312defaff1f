import type { AskAboutFolder, FoundVault } from '../../../hosts/node/find-vault.js'
import { findVault, requestedVault } from '../../../hosts/node/find-vault.js'
import type { ServersLocation } from '../../../hosts/node/settings/servers.js'
import type { LoadedSettings, SettingsLocation } from '../../../hosts/node/settings/settings.js'
import { loadSettings } from '../../../hosts/node/settings/settings.js'
import type { Invocation } from '../program/invocation.js'
import { pressKey, visibleLine } from '../terminal/terminal.js'

/** Location of the settings for this command line. */
export function settingsLocation({ options, surroundings, signal }: Invocation): SettingsLocation {
  return { surroundings, signal, flags: { vault: options.vault } }
}

/** The configuration as this command line sees it. */
export async function readSettings(
  invocation: Invocation,
  flags: Record<string, unknown> = {},
): Promise<LoadedSettings> {
  const place = settingsLocation(invocation)
  const setup = await loadSettings({ ...place, flags: { ...flags, ...place.flags } })
  invocation.terminal.useColor(setup.config.color)
  return setup
}

export async function locateVault(invocation: Invocation, { loaded }: LoadedSettings): Promise<FoundVault> {
  const { surroundings, terminal } = invocation
  const found = await findVault(requestedVault(loaded), surroundings, askAboutFolder(invocation))
  terminal.trace(`vault ${visibleLine(found.root)} (from ${found.from})`)
  if (found.passedOver !== undefined) {
    terminal.say(`Using ${visibleLine(found.root)} (from ${found.from}). To use the current folder, add --vault .`)
  }
  return found
}

/** Asks only a user at a terminal: a script gets a sentence. */
function askAboutFolder({ terminal, signal }: Invocation): AskAboutFolder | undefined {
  if (terminal.json || !terminal.canAsk) return undefined
  return async (folder) => {
    terminal.say(
      `${visibleLine(folder)} contains Markdown notes. Notewright stores its index elsewhere and asks before it changes notes.`,
    )
    const answer = await pressKey(terminal, 'Use this folder as your vault? [Y/n]', 'yn', signal)
    return answer === undefined ? undefined : answer !== 'n'
  }
}

export function serverSettingsLocation(invocation: Invocation): ServersLocation {
  const { terminal } = invocation
  return {
    ...settingsLocation(invocation),
    onTrouble: (text) => terminal.say(visibleLine(text)),
    onLine: (server, line) => terminal.trace(`${server}: ${visibleLine(line)}`),
  }
}
