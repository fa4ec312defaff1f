import type { ConsentLevel } from '../../../core/approval/index.js'
import { installedModels } from '../../../hosts/node/agent-model.js'
import { findVault, requestedVault } from '../../../hosts/node/find-vault.js'
import { type FolderVault, openFolderVault } from '../../../hosts/node/open-vault.js'
import { serveAcp } from '../../acp/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { approvalOptions } from '../program/options.js'
import { environmentSecrets } from '../session/open-session.js'
import { readSettings } from '../session/settings.js'
import { visibleLine } from '../terminal/terminal.js'

export const declareAcp: DeclareCommand = (command, run) => {
  command.option('-m, --model <model>', 'model for new chats, as provider/model, or offline')
  approvalOptions(command)
    .addHelpText(
      'after',
      examples(
        ['notewright acp', 'the vault is the folder that is open in the editor'],
        ['notewright acp --vault ~/Notes -m ollama/qwen3:8b'],
      ),
    )
    .action((options) => run((to) => acp(to, options)))
}

interface AcpOptions {
  model?: string
  consent?: ConsentLevel
  allow?: string[]
  deny?: string[]
}

/** Standard output is the protocol only; messages go to standard error. */
export async function acp(invocation: Invocation, { model, consent, allow, deny }: AcpOptions): Promise<void> {
  const { terminal, surroundings, signal, version } = invocation
  const setting = await readSettings(invocation)
  const wanted = requestedVault(setting.loaded)
  const opened = new Map<string, Promise<FolderVault>>()
  const onTrouble = (text: string) => terminal.say(visibleLine(text))

  async function openVault(folder = surroundings.currentFolder) {
    const { root } = await findVault(wanted, { ...surroundings, currentFolder: folder })
    const known = opened.get(root) ?? open(root)
    opened.set(root, known)
    // A vault that could not be opened is tried again.
    known.catch(() => opened.delete(root))
    return { root, vault: await known }
  }

  async function open(root: string): Promise<FolderVault> {
    const vault = await openFolderVault({
      root,
      settings: setting.config,
      folders: setting.folders,
      surroundings,
      sharesApprovals: true,
      secrets: await environmentSecrets(invocation),
      onTrouble,
      startsServers: true,
      onServerLine: (server, line) => terminal.trace(`${server}: ${visibleLine(line)}`),
      listsAhead: true,
      readsAhead: true,
    })
    vault.notebook.updateInBackground().done.catch((error) => onTrouble((error as Error).message))
    vault.notebook.follow()
    return vault
  }

  try {
    await serveAcp({
      version,
      openVault,
      session: { model, consent, allow, deny },
      models: async () => [...(await installedModels(surroundings)), 'offline'],
      onTrouble,
      input: terminal.input,
      output: process.stdout,
      signal,
    })
  } finally {
    await Promise.allSettled([...opened.values()].map(async (vault) => (await vault).close()))
  }
}
