import * as z from 'zod'
import { Failure } from '../../errors.js'
import { changeSet } from '../../vault/index.js'
import { defineTool, type Notice } from '../tool.js'
import type { WantedText } from './edit/find-text.js'
import { type ReplacedText, replaceTexts } from './edit/replace-texts.js'
import { searchReplaceBlocks } from './edit/search-replace-blocks.js'
import { standingPlaces } from './edit/standing-places.js'
import { noteToChange } from './note-to-change.js'
import { textAfter } from './text-after.js'
import { textNotices } from './text-notices.js'
import { writtenText } from './written-text.js'

export const editNote = defineTool({
  name: 'edit_note',
  title: 'Edit note',
  description:
    'Replace text in a note: give old_text and new_text, or diff for several places at once. Each old text must occur exactly once. Read the note first.',
  activity: 'Editing a note',
  category: 'file',
  effects: ['writes'],
  guidance:
    'Copy old_text from the note, with a line of context where it may occur twice. An empty new_text deletes. For properties use update_frontmatter.',
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
    const file = await noteToChange(wanted, context)
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
        const standing = standingPlaces(text, textAfter(part, path) ?? file.text, places)
        return { path, replaced: standing.length, changed, fuzzy: standing.some(({ isFuzzy }) => isFuzzy) }
      },
      notices: [...fuzzyNotices(fuzzy), ...textNotices(path, file.text, text)],
    }
  },

  render({ path, replaced, changed, fuzzy }) {
    if (!changed) return `No change: ${path} already reads like this.`
    const places = replaced === 1 ? '1 place' : `${replaced} places`
    const note = fuzzy ? ' The old text matched except for quotes, dashes, spaces or the form of letters.' : ''
    return `Note edited: ${path} (${places}).${note}`
  },
  summary: ({ path, replaced }) => (replaced === 0 ? `left ${path}` : `edited ${path}`),
})

interface EditInput {
  old_text?: string
  new_text?: string
  diff?: string
}

function wantedTexts({ old_text, new_text, diff }: EditInput): WantedText[] {
  if (diff !== undefined) {
    if (old_text !== undefined || new_text !== undefined)
      throw invalid('diff: give either diff or old_text and new_text')
    return searchReplaceBlocks(writtenText('diff', diff))
  }
  if (old_text === undefined) throw invalid('old_text: required, unless diff is given')
  if (new_text === undefined) throw invalid('new_text: required; an empty text deletes old_text')
  if (old_text.replaceAll('\ufeff', '') === '') throw invalid('old_text: empty; to add text use append_note')
  writtenText('old_text', old_text)
  return [{ old: old_text, fresh: writtenText('new_text', new_text), isLines: false, name: 'old_text' }]
}

function invalid(reason: string): Failure {
  return new Failure('invalid-input', `Tool edit_note validation failed: ${reason}`)
}

function fuzzyNotices(fuzzy: ReplacedText['fuzzy']): Notice[] {
  return fuzzy.map(({ name, line }) => ({
    kind: 'fuzzy-match',
    text: `${name} matches line ${line} only by overlooking quotes, dashes, spaces or the form of letters.`,
  }))
}
