import * as z from 'zod'
import type { Failure } from '../../errors.js'
import { defaultMemoryNote, maxMemoryLength, memoryLine, parseMemories } from '../../memory.js'
import { type Change, changeSet, mustBeUtf8, newNotePath } from '../../vault/index.js'
import { defineTool } from '../tool.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { requireFreePath, writableNotePath } from './find-note.js'
import { checkText, textToAppend } from './written-text.js'

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Save one fact or preference of the user for later conversations, as a line in the memory note. Use it only when the user asks you to remember something. Returns the path of the note.',
  activity: 'Remembering',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    text: z.string().describe("One plain sentence that is clear on its own, in the user's language"),
  }),
  example: { text: 'I garden in zone 7.' },
  output: z.object({ path: z.string(), text: z.string(), isNew: z.boolean() }),

  async plan({ text: given }, { vault, settings, session }) {
    const line = memoryLine(checkText('text', given))
    const text = line.slice(2)
    if (text === '') throw wrong('text: empty', 'Give the text to remember.')
    if (text.length > maxMemoryLength) {
      throw wrong(`text: longer than ${maxMemoryLength} characters`, 'Shorten it, or write a separate note.')
    }
    const path = writableNotePath(settings.memoryNote ?? defaultMemoryNote)
    const file = await vault.read(path)
    if (file === undefined) {
      newNotePath(path)
      await requireFreePath(path, { vault })
      const after = `${line}\n`
      return planned({ kind: 'create', path, after: new TextEncoder().encode(after) }, '', after)
    }
    mustBeUtf8(file)
    if (parseMemories(file.text).some((memory) => memory.text === text)) {
      const changes = changeSet(`Leave ${file.path} as it is`, [], { session })
      return { changes, output: { path: file.path, text, isNew: false }, effects: [] }
    }
    const added = textToAppend(file.text, line)
    const change: Change = { kind: 'append', path: file.path, added: new TextEncoder().encode(added) }
    return planned(change, file.text, file.text + added)

    function planned(change: Change, before: string, after: string) {
      const output = { path: change.path, text, isNew: true }
      const changes = changeSet(`Remember in ${change.path}`, [change], { session })
      return { changes, output, notices: textNotices(change.path, before, after) }
    }
  },

  render: ({ path, text, isNew }) => `${isNew ? 'Remembered' : 'Already remembered'} in ${path}: ${text}`,
  summary: ({ path, isNew }) => (isNew ? `saved in ${path}` : `already in ${path}`),
})

const wrong = (reason: string, hint: string): Failure => validationFailure('remember', reason, { hint })
