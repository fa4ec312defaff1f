import { type AskAboutFolder, type FoundVault, findVault, vaultWish } from '../../../hosts/node/find-vault/index.js'
import { readSetup, type Setup, type SetupPlace } from '../../../hosts/node/setup/index.js'
import type { Invocation } from '../program/invocation.js'
import { pressKey, visibleLine } from '../terminal/index.js'

/** Where this command line looks for what a person has set up. */
export function setupPlace({ options, surroundings, signal }: Invocation): SetupPlace {
  return { surroundings, signal, flags: { vault: options.vault } }
}

/** The configuration as this command line sees it. */
export async function readSettings(invocation: Invocation, flags: Record<string, unknown> = {}): Promise<Setup> {
  const place = setupPlace(invocation)
  const setup = await readSetup({ ...place, flags: { ...flags, ...place.flags } })
  invocation.terminal.useColor(setup.config.color)
  return setup
}

export async function locateVault(invocation: Invocation, { loaded }: Setup): Promise<FoundVault> {
  const { surroundings, terminal } = invocation
  const found = await findVault(vaultWish(loaded), surroundings, askAboutFolder(invocation))
  terminal.trace(`vault ${visibleLine(found.root)} (from ${found.from})`)
  if (found.passedOver !== undefined) {
    terminal.say(`Using ${visibleLine(found.root)} (from ${found.from}). For the folder you are in, add --vault .`)
  }
  return found
}

/** Asks only a person at a terminal: a script gets a sentence. */
function askAboutFolder({ terminal, signal }: Invocation): AskAboutFolder | undefined {
  if (terminal.json || !terminal.canAsk) return undefined
  return async (folder) => {
    terminal.say(
      `${visibleLine(folder)} holds Markdown notes. Notewright keeps its index elsewhere and asks before changes.`,
    )
    const answer = await pressKey(terminal, 'Use this folder as your vault when you are in it? [Y/n]', 'yn', signal)
    return answer === undefined ? undefined : answer !== 'n'
  }
}
