import {
  type AgentEvent,
  type AgentSetup,
  defineTool,
  Failure,
  type IndexStore,
  type JournaledVault,
  type LanguageModelV3,
  memoryStore,
  memoryVault,
  notePath,
  openModel,
  openNotebook,
  run,
} from 'notewright/core'
import * as z from 'zod'

export const countWords = defineTool({
  name: 'count_words',
  title: 'Count words',
  description: 'Count the words of a note.',
  activity: 'Counting words',
  category: 'custom',
  effects: ['reads'],
  input: z.object({ path: z.string(), deep: z.boolean().optional() }),
  output: z.object({ words: z.number() }),
  async run({ path, deep }, { vault, index }) {
    const wanted: string = path
    const isDeep: boolean | undefined = deep
    const file = await vault.read((await index.find(wanted)).path)
    if (file === undefined || isDeep) throw new Failure('not-found', 'No such note', { hint: 'Look again.' })
    return { words: file.text.split(' ').length }
  },
  render: ({ words }) => words.toFixed(0),
  // @ts-expect-error The answer has no such field.
  summary: ({ letters }) => String(letters),
})

export const vault: JournaledVault = memoryVault({ files: { 'a.md': 'text' } })
export const store: IndexStore = memoryStore()
export const notebook = await openNotebook({ vault, store })
export const model: LanguageModelV3 = (await openModel('offline', { environment: {}, fetch })).model

export async function ask(setup: AgentSetup): Promise<string[]> {
  const lines: string[] = []
  for await (const event of run({ id: '1', text: 'hello', mode: 'agent' }, setup)) lines.push(line(event))
  const file = await vault.read(notePath('a.md'))
  return [...lines, file?.text ?? '']
}

function line(event: AgentEvent): string {
  return event.type === 'run-end' ? event.text : event.type
}
// @ts-expect-error A path is checked before it is used.
await vault.read('../a.md')
