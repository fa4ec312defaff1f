import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server'
import type { Client } from '../clients/client.js'
import { visibleNotes } from '../resources/list-notes.js'
import type { McpSetup } from '../setup.js'

const most = 100

/** Paths, tags and vaults that begin with, then those that hold, what has been typed. */
export async function complete(
  { ref, argument, context }: CompleteRequestParams,
  { vaults }: Pick<McpSetup, 'vaults'>,
  client: Client,
): Promise<CompleteResult> {
  const typed = argument.value.toLowerCase()
  const choices = await choicesFor(argument.name, ref.type === 'ref/resource' ? context?.arguments?.vault : undefined)
  const folded = choices.map((choice) => ({ choice, text: choice.toLowerCase() }))
  const starting = folded.filter(({ text }) => text.startsWith(typed))
  const holding = folded.filter(({ text }) => !text.startsWith(typed) && text.includes(typed))
  const found = [...starting, ...holding].map(({ choice }) => choice)
  return { completion: { values: found.slice(0, most), total: found.length, hasMore: found.length > most } }

  async function choicesFor(name: string, vault: string | undefined): Promise<string[]> {
    if (name === 'vault') return [...vaults.names]
    if (name !== 'path' && name !== 'tag') return []
    const session = await client.on(vault)
    if (name === 'path') return (await visibleNotes(session)).map(({ path }) => path)
    if (session.session.guard.level === 'ask-all') return []
    const { context: tools, guard } = await session.session.toolSetup()
    return (await guard.screen(tools).index.tags()).map(({ tag }) => tag)
  }
}
