import * as z from 'zod'
import type { Failure, FailureDetails } from '../../errors.js'
import { changeSet } from '../../vault/index.js'
import { defineTool, type Notice } from '../tool.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { findNoteToEdit } from './find-note.js'
import type { TextReplacement } from './find-text.js'
import { acceptedPlaces, type ReplacedText, replaceTexts, searchReplaceBlocks } from './replace-texts.js'
import { checkText, textAfterChanges } from './written-text.js'

export const editNote = defineTool({
  name: 'edit_note',
  title: 'Edit note',
  description:
    'Replace text in a note. Give old_text and new_text, or diff for several places at once. Each old text must occur exactly once.',
  activity: 'Editing a note',
  category: 'file',
  effects: ['writes'],
  guidance:
    'Copy old_text exactly from the note, with a line of context if it may occur twice. An empty new_text deletes it. For properties use update_frontmatter.',
  needsVault: true,
  inBrief: ['path', 'old_text', 'new_text'],
  input: z.object({
    path: z.string(),
    old_text: z.string().optional(),
    new_text: z.string().optional(),
    diff: z.string().optional().describe('Blocks of <<<<<<< SEARCH, old lines, =======, new lines, >>>>>>> REPLACE'),
  }),
  example: { path: 'Garden/Tomatoes.md', old_text: 'the size of a cherry', new_text: 'as small as a cherry' },
  output: z.object({ path: z.string(), replaced: z.number(), changed: z.boolean(), fuzzy: z.boolean() }),

  async plan({ path: wanted, ...edit }, context) {
    const texts = wantedTexts(edit)
    const file = await findNoteToEdit(wanted, context)
    const { path } = file
    const { text, places, fuzzy } = replaceTexts(path, file.text, texts)
    const changed = text !== file.text
    const output = { path, replaced: changed ? texts.length : 0, changed, fuzzy: fuzzy.length > 0 }
    const { session } = context
    if (!changed) return { changes: changeSet(`Leave ${path} as it is`, [], { session }), output, effects: [] }
    return {
      changes: changeSet(
        `Edit ${path}`,
        [{ kind: 'edit', path, before: file.hash, after: new TextEncoder().encode(text) }],
        { session },
      ),
      output,
      inPart(part) {
        const standing = acceptedPlaces(text, textAfterChanges(part, path) ?? file.text, places)
        return { path, replaced: standing.length, changed, fuzzy: standing.some(({ isFuzzy }) => isFuzzy) }
      },
      notices: [...fuzzyNotices(fuzzy), ...textNotices(path, file.text, text)],
    }
  },

  render({ path, replaced, changed, fuzzy }) {
    if (!changed) return `No change: ${path} already has this text.`
    const places = replaced === 1 ? '1 place' : `${replaced} places`
    const note = fuzzy ? ' The old text matched, except for quotes, dashes, spaces or letter forms.' : ''
    return `Note edited: ${path} (${places}).${note}`
  },
  summary: ({ path, replaced }) => (replaced === 0 ? `left ${path}` : `edited ${path}`),
})

interface EditInput {
  old_text?: string | undefined
  new_text?: string | undefined
  diff?: string | undefined
}

function wantedTexts({ old_text, new_text, diff }: EditInput): TextReplacement[] {
  if (diff !== undefined) {
    if (old_text !== undefined || new_text !== undefined)
      throw invalid('diff: give either diff or old_text and new_text')
    return searchReplaceBlocks(checkText('diff', diff))
  }
  if (old_text === undefined) throw invalid('old_text: required, unless diff is given')
  if (new_text === undefined) throw invalid('new_text: required; an empty text deletes old_text')
  if (old_text.replaceAll('\ufeff', '') === '')
    throw invalid('old_text: empty', { modelHint: 'To add text, use append_note.', tools: ['append_note'] })
  checkText('old_text', old_text)
  return [{ old: old_text, fresh: checkText('new_text', new_text), isLines: false, name: 'old_text' }]
}

function invalid(reason: string, details?: FailureDetails): Failure {
  return validationFailure('edit_note', reason, details)
}

function fuzzyNotices(fuzzy: ReplacedText['fuzzy']): Notice[] {
  return fuzzy.map(({ name, line }) => ({
    kind: 'fuzzy-match',
    text: `${name} matches line ${line} only if quotes, dashes, spaces and letter forms are ignored.`,
  }))
}
