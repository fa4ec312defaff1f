import { bytes, count } from '../../../core/text/index.js'
import type { Attachment, InputMention, PastedContent, Suggestion } from '../../../ui/index.js'
import { getJson } from './ask-server.js'
import type { View } from './views.js'

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

/** Suggestions: after `@`, notes, folders, tags and modes; after `/`, commands and prompts. */
export function suggest({ sign, wanted }: InputMention, commands: readonly SlashCommand[]): Promise<Suggestion[]> {
  return sign === '@' ? suggestNames(wanted) : suggestCommands(wanted, commands)
}

async function suggestNames(wanted: string): Promise<Suggestion[]> {
  const { notes, folders, tags } = await getJson<Names>(`names?wanted=${encodeURIComponent(wanted)}`)
  const fitting = ways.filter(({ label }) => wanted !== '' && label.startsWith(`@${wanted.toLowerCase()}`))
  return [
    ...fitting,
    ...notes
      .slice(0, 8)
      .map(({ label, path }) => ({ label, about: path, icon: 'note' as const, insert: `@[[${label}]]` })),
    ...folders.map((folder) => ({
      label: `${folder}/`,
      about: 'folder',
      icon: 'folder' as const,
      insert: `${folder}/`,
    })),
    ...tags.map((tag) => ({ label: `#${tag}`, about: 'tag', icon: 'tag' as const, insert: `#${tag}` })),
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

/** Something the page does when it is typed in place of a question. */
interface SlashCommand {
  name: string
  about: string
  run(words: string): unknown
}

/** Chat functions that commands call. */
interface ChatFunctions {
  begin(): void
  show(view: View): void
  /** Undefined before the first question. */
  session: { branch(): unknown; compact(): unknown; rename(title: string): unknown; undo(): unknown } | undefined
}

export function slashCommands({ begin, show, session }: ChatFunctions): SlashCommand[] {
  return [
    { name: 'new', about: 'start another chat; this one is kept', run: begin },
    { name: 'sessions', about: 'all chats', run: () => show('chats') },
    { name: 'search', about: 'search your notes', run: () => show('search') },
    { name: 'activity', about: 'changes and steps', run: () => show('activity') },
    { name: 'settings', about: 'models, keys, approvals, tools', run: () => show('settings') },
    ...(session === undefined
      ? []
      : [
          { name: 'branch', about: 'continue in a copy of this chat', run: session.branch },
          { name: 'rename', about: 'give this chat a title', run: session.rename },
          { name: 'compact', about: 'shorten what the model sees of this chat', run: session.compact },
          { name: 'undo', about: 'undo the last change', run: session.undo },
        ]),
  ]
}

/** The command that a text is, with its words. */
export function commandIn(
  text: string,
  commands: readonly SlashCommand[],
): { command: SlashCommand; words: string } | undefined {
  const [, name, words = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  const command = commands.find((one) => one.name === name?.toLowerCase())
  return command && { command, words: words.trim() }
}

/** A file or text sent with the next question. */
export type Attached = Attachment & ({ text: string } | { base64: string })

/** Reads dropped or pasted content. */
export async function readPastedContent(given: PastedContent, before: number): Promise<Attached[]> {
  if ('text' in given) {
    const { text } = given
    return [{ name: `Pasted text ${before + 1}`, about: count(text.split('\n').length, 'line'), text }]
  }
  return Promise.all([...given.files].map(readFile))
}

/** Texts are sent as they are; the server detects other types by content. */
async function readFile(file: File): Promise<Attached> {
  const { name, size } = file
  const about = bytes(size)
  if (/^text\//.test(file.type) || /\.(?:md|txt|csv|json|canvas)$/i.test(name))
    return { name, about, text: await file.text() }
  return { name, about, base64: encoded(new Uint8Array(await file.arrayBuffer())) }
}

function encoded(all: Uint8Array): string {
  let text = ''
  for (let at = 0; at < all.length; at += 8192) text += String.fromCharCode(...all.subarray(at, at + 8192))
  return btoa(text)
}

/** In the format of the API. */
export function asRequest(attached: readonly Attached[]) {
  const texts = attached.flatMap((one) => ('text' in one ? [{ name: one.name, text: one.text }] : []))
  const files = attached.flatMap((one) => ('base64' in one ? [{ name: one.name, base64: one.base64 }] : []))
  return { ...(texts.length > 0 && { attached: texts }), ...(files.length > 0 && { files }) }
}
