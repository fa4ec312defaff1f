import { join } from 'node:path'
import type { AgentEvent } from '../../src/core/agent/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { type OpenedVault, type Session, type VaultHost, vaultFromHost } from '../../src/core/session/index.js'
import { folderHost } from '../../src/hosts/node/folder-host.js'
import { type FolderNotebook, openFolderNotebook } from '../../src/hosts/node/open-notebook.js'
import { stateFolders } from '../../src/hosts/node/state-folders.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'

export const notes = { 'Soil.md': 'Compost feeds the soil.\n', 'Plan.md': 'Dig.\n', 'Weeds.md': 'Bindweed.\n' }

const appending = (path: string, content: string) => ({ name: 'append_note', input: { path, content } })

/** Three turns and a summary between them: search and read, then writes that are allowed, denied and allowed. */
export const script: ScriptedStep[] = [
  { think: 'Where is it?', call: [{ name: 'search_notes', input: { query: 'soil' } }] },
  { say: 'I look closer. ', call: [{ name: 'read_note', input: { path: 'Soil.md' } }] },
  { call: [{ name: 'list_backlinks', input: { path: 'Soil.md' } }] },
  { say: '"Compost feeds the soil." [[Soil]]' },
  { call: [appending('Plan.md', 'Sow beans.'), appending('Weeds.md', 'Couch grass.')] },
  { call: [{ name: 'edit_note', input: { path: 'Plan.md', old_text: 'Dig.', new_text: 'Dig deep.' } }] },
  { say: 'The plan is longer now, and the weeds stayed as they were.' },
  { say: 'They spoke of soil and of the plan.' },
  { say: 'Water it.' },
]

export const requests = ['What feeds the soil?', 'Add the beans and the weeds', 'And now?']

/** The user's answer: no to everything about weeds. */
const isAllowed = (panel: unknown) => !JSON.stringify(panel).includes('Couch grass')

export async function openPlace(place: string, change = (host: Host): Host => host) {
  const [root, home] = [join(place, 'vault'), join(place, 'home')]
  const surroundings = { environment: { NOTEWRIGHT_HOME: home }, platform: process.platform, home, currentFolder: root }
  const folders = stateFolders(surroundings)
  const settings = configSchema.parse({ consent: 'ask' })
  const notebook = await openFolderNotebook({ root, config: settings, folders })
  const host = change(folderHost(notebook, { settings, folders, surroundings }))
  return vaultFromHost({ host, settings, approvalOptions: { remote: true } })
}

export type Host = VaultHost & { notebook: FolderNotebook }

export async function openConversation(vault: OpenedVault, steps: readonly ScriptedStep[]) {
  const model = scriptedModel(steps)
  return { model, session: await vault.openSession({ id: 'talk', model }) }
}

/** Draws the events of a turn and answers what is asked. */
export async function follow(
  { approvalQueue: desk }: OpenedVault,
  events: AsyncGenerator<AgentEvent>,
  see: (event: AgentEvent) => void,
): Promise<void> {
  for await (const event of events) {
    see(event)
    if (event.type !== 'approval-asked') continue
    const { panel } = event
    const { id, hash } = panel
    const answerTo = (request: unknown) => ({ verdict: isAllowed(request) ? 'allow' : 'deny' })
    const answer =
      panel.kind === 'batch'
        ? { verdict: 'each', answers: Object.fromEntries(panel.requests.map((each) => [each.id, answerTo(each)])) }
        : answerTo(panel)
    desk.answer(id, { ...answer, hash, session: 'talk' } as never)
  }
}

/** The whole conversation, as a user would have it. */
export async function converse(vault: OpenedVault, session: Session, see: (event: AgentEvent) => void): Promise<void> {
  await follow(vault, session.ask(requests[0]), see)
  await follow(vault, session.ask(requests[1]), see)
  await follow(vault, session.compact(), see)
  await follow(vault, session.ask(requests[2]), see)
}
