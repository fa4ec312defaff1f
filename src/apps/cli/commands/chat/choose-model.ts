import { findProvider } from '../../../../core/providers/index.js'
import { installedModels } from '../../../../hosts/node/agent/index.js'
import { type ProviderRow, probedProvider, providerRows } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { setupPlace } from '../../session/locate-vault.js'
import { count } from '../../show/quantities.js'
import { visibleLine } from '../../terminal/index.js'
import type { Chat } from './chat-at-terminal.js'
import { type Choice, choose } from './input/index.js'

/** A provider elsewhere is asked for its models only when the person chooses it. */
const asksFor = '/…'

/** Lists the models that are there, and lets the person choose one. undefined: they left it as it is. */
export async function chooseModel(current: string, { keys, invocation }: Chat): Promise<string | undefined> {
  const choices = await modelsHere(current, invocation)
  const chosen = await pick(`Which model? Now: ${visibleLine(current)}. Esc keeps it.`, choices)
  if (chosen === undefined || !chosen.endsWith(asksFor)) return chosen
  const provider = findProvider(chosen.slice(0, -asksFor.length))
  const row = await probedProvider(setupPlace(invocation), provider)
  if (row.problem !== undefined || row.models === undefined) {
    const why = row.problem?.text ?? `${row.name} cannot be reached.`
    invocation.terminal.say(visibleLine([why, row.problem?.hint].filter(Boolean).join(' ')))
    return undefined
  }
  return pick(
    `${count(row.models.length, 'model')} of ${row.name}. Type to narrow them down; Esc leaves.`,
    row.models.map((word) => ({ word: visibleLine(word) })),
  )

  function pick(title: string, from: readonly Choice[]) {
    const { terminal, signal } = invocation
    return choose(keys, terminal.messages, { title, choices: from, style: terminal.messageStyle, signal })
  }
}

/** What runs here and what lies on this disk, who could be asked elsewhere, and what is always there. */
async function modelsHere(current: string, invocation: Invocation): Promise<Choice[]> {
  const { environment, home } = invocation.surroundings
  const [rows, installed] = await Promise.all([
    providerRows(setupPlace(invocation)),
    installedModels({ environment, home }).catch(() => []),
  ])
  const found = new Map<string, string>()
  const add = (word: string, about: string) => {
    if (!found.has(word)) found.set(visibleLine(word), word === current ? `${about}, in use` : about)
  }
  for (const { models = [], address } of rows) for (const model of models) add(model, `runs at ${address}`)
  for (const model of installed) add(model, `on this disk; ${startHint(model)}`)
  for (const row of rows) if (isElsewhere(row)) add(`${row.provider}${asksFor}`, `asks ${row.name} for its models`)
  if (current !== 'offline') add(current, 'set up')
  add('offline', 'searches and quotes, without a language model')
  return [...found].map(([word, about]) => ({ word, about }))
}

const startHint = (model: string): string => `start ${model.startsWith('ollama/') ? 'Ollama' : 'LM Studio'} first`

const isElsewhere = ({ configured, running, key, provider }: ProviderRow): boolean =>
  configured && running === undefined && (key !== undefined || provider === 'compatible')
