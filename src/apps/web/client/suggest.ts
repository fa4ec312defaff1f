import type { Mention, Suggestion } from '../../../ui/index.js'
import { getJson } from './ask-server.js'
import type { SlashCommand } from './slash-commands.js'

/** Words that mean a way of asking, besides names. */
const ways: readonly Suggestion[] = [
  { label: '@vault', about: 'search the notes first', insert: '@vault' },
  { label: '@web', about: 'search the web first', insert: '@web' },
  { label: '@memory', about: 'keep this in mind from now on', insert: '@memory' },
]

interface Names {
  notes: { label: string; path: string }[]
  folders: string[]
  tags: string[]
}

/** What could be meant: behind an `@` notes, folders, tags and ways of asking; behind a `/` commands and prompts. */
export function suggest({ sign, wanted }: Mention, commands: readonly SlashCommand[]): Promise<Suggestion[]> {
  return sign === '@' ? suggestNames(wanted) : suggestCommands(wanted, commands)
}

async function suggestNames(wanted: string): Promise<Suggestion[]> {
  const { notes, folders, tags } = await getJson<Names>(`names?wanted=${encodeURIComponent(wanted)}`)
  const fitting = ways.filter(({ label }) => wanted !== '' && label.startsWith(`@${wanted.toLowerCase()}`))
  return [
    ...fitting,
    ...notes.slice(0, 8).map(({ label, path }) => ({ label, about: path, insert: `@[[${label}]]` })),
    ...folders.map((folder) => ({ label: `${folder}/`, about: 'folder', insert: `${folder}/` })),
    ...tags.map((tag) => ({ label: `#${tag}`, about: 'tag', insert: `#${tag}` })),
  ]
}

async function suggestCommands(wanted: string, commands: readonly SlashCommand[]): Promise<Suggestion[]> {
  const { prompts } = await getJson<{ prompts: { name: string; description: string; from: string }[] }>('prompts')
  const all = [
    ...commands.map(({ name, about }) => ({ label: `/${name}`, about, insert: `/${name}` })),
    ...prompts.map(({ name, description, from }) => ({
      label: `/${name}`,
      about: description || (from === 'vault' ? 'a prompt of this vault' : 'a prompt of yours'),
      insert: `/${name}`,
    })),
  ]
  return all.filter(({ label }) => label.startsWith(`/${wanted.toLowerCase()}`))
}
