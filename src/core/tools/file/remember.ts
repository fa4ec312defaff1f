import * as z from 'zod'
import { Failure } from '../../errors.js'
import { defaultMemoryNote, memoryLine, mostCharacters, rememberedIn } from '../../memory/index.js'
import { type Change, changeSet, mustBeUtf8, newNotePath } from '../../vault/index.js'
import { defineTool } from '../tool.js'
import { markdownPath, mustBeFree } from './note-to-change.js'
import { textNotices } from './text-notices.js'
import { addition, writtenText } from './written-text.js'

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Keep one fact or wish of the person for later conversations, as a line of their memory note. Use it only when the person asks to remember something. Returns where it was kept.',
  activity: 'Remembering',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    text: z.string().describe("One plain sentence that is clear on its own, in the person's language"),
  }),
  example: { text: 'I garden in zone 7.' },
  output: z.object({ path: z.string(), text: z.string(), isNew: z.boolean() }),

  async plan({ text: given }, { vault, settings, session }) {
    const line = memoryLine(writtenText('text', given))
    const text = line.slice(2)
    if (text === '') throw wrong('text: empty', 'Say what to remember.')
    if (text.length > mostCharacters) {
      throw wrong(`text: longer than ${mostCharacters} characters`, 'Say it shorter, or write a note of its own.')
    }
    const path = markdownPath(settings.memoryNote ?? defaultMemoryNote)
    const file = await vault.read(path)
    if (file === undefined) {
      newNotePath(path)
      await mustBeFree(path, { vault })
      const after = `${line}\n`
      return planned({ kind: 'create', path, after: new TextEncoder().encode(after) }, '', after)
    }
    mustBeUtf8(file)
    if (rememberedIn(file.text).some((memory) => memory.text === text)) {
      const changes = changeSet(`Leave ${file.path} as it is`, [], { session })
      return { changes, output: { path: file.path, text, isNew: false }, effects: [] }
    }
    const added = addition(file.text, line)
    const change: Change = { kind: 'append', path: file.path, added: new TextEncoder().encode(added) }
    return planned(change, file.text, file.text + added)

    function planned(change: Change, before: string, after: string) {
      const output = { path: change.path, text, isNew: true }
      const changes = changeSet(`Remember in ${change.path}`, [change], { session })
      return { changes, output, notices: textNotices(change.path, before, after) }
    }
  },

  render: ({ path, text, isNew }) => `${isNew ? 'Remembered' : 'Already remembered'} in ${path}: ${text}`,
  summary: ({ path, isNew }) => (isNew ? `kept in ${path}` : `already in ${path}`),
})

const wrong = (reason: string, hint: string): Failure =>
  new Failure('invalid-input', `Tool remember validation failed: ${reason}`, { hint })
