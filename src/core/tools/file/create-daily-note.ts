import * as z from 'zod'
import { Failure } from '../../errors.js'
import {
  dayAt,
  fillTemplate,
  formatMoment,
  moveToDay,
  parseDay,
  timeZone,
  type WallTime,
  wallTime,
} from '../../time/index.js'
import { changeSet, isNote, mustBeUtf8, type NoteFile, type NotePath, newNotePath } from '../../vault/index.js'
import { defineTool, type Notice } from '../tool.js'
import type { Clock, DailyNoteSettings, ToolContext } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { findNote, requireFreePath } from './find-note.js'
import { checkText, textToAppend } from './written-text.js'

export const createDailyNote = defineTool({
  name: 'create_daily_note',
  title: 'Create daily note',
  description:
    "Create the daily note for a date with the vault's settings and template. If it exists, content is added to its end. Returns its path.",
  activity: 'Creating a daily note',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    date: z.string().optional().describe('YYYY-MM-DD, yesterday or tomorrow; default: today'),
    content: z.string().optional().describe('Added below the template'),
  }),
  example: { date: '2026-03-01', content: '- Sowed the peas.' },
  output: z.object({ path: z.string(), date: z.string(), created: z.boolean(), changed: z.boolean() }),

  async plan({ date, content = '' }, context) {
    checkText('content', content)
    const { vault, session, settings } = context
    const time = wantedTime(date, context.clock)
    const daily = await settings.dailyNotes()
    const path = dailyPath(daily, time)
    const about = { date: formatMoment(time, 'YYYY-MM-DD') }
    const file = await vault.read(path)
    if (file !== undefined) return { ...appendTo(file, content, session), output: existing(file, content, about.date) }
    await requireFreePath(path, context)

    const { text: template, notices } = await filledTemplate(daily, path, time, context)
    const text = content === '' ? template : template + textToAppend(template, content)
    return {
      changes: changeSet(`Create ${path}`, [{ kind: 'create', path, after: new TextEncoder().encode(text) }], {
        session,
      }),
      output: { path, ...about, created: true, changed: true },
      notices: [...notices, ...textNotices(path, template, text)],
    }
  },

  render({ path, created, changed }, applied) {
    const place = applied?.changes[0]?.path ?? path
    if (created) return `Note created successfully: ${place}`
    return changed
      ? `Text added to the daily note ${place}`
      : `The daily note already exists: ${place}. Nothing was changed.`
  },
  summary: ({ path, created, changed }) => `${created ? 'created' : changed ? 'added to' : 'found'} ${path}`,
})

const relativeDays = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])

function wantedTime(date: string | undefined, clock: Clock): WallTime {
  const zone = timeZone(clock.timeZone)
  const now = clock.now().getTime()
  const word = date?.trim().toLowerCase() ?? 'today'
  const days = relativeDays.get(word)
  const wanted = days === undefined ? parseDay(word) : dayAt(now, zone) + days
  if (wanted === undefined) {
    throw validationFailure('create_daily_note', 'date: not a valid date', {
      hint: 'Use YYYY-MM-DD, yesterday, today or tomorrow.',
    })
  }
  return moveToDay(wallTime(now, zone), wanted, zone)
}

function dailyPath({ folder, format }: DailyNoteSettings, time: WallTime): NotePath {
  const name = formatMoment(time, format).replace(/^\/+|\/+$/g, '')
  const path = [folder.replace(/^\/+|\/+$/g, ''), isNote(name) ? name : `${name}.md`].filter((part) => part !== '')
  return newNotePath(path.join('/'))
}

function appendTo(file: NoteFile, content: string, session: string) {
  const { path, text } = file
  if (content === '') return { changes: changeSet(`Leave ${path} as it is`, [], { session }), effects: [] }
  mustBeUtf8(file)
  const added = textToAppend(text, content)
  return {
    changes: changeSet(`Append to ${path}`, [{ kind: 'append', path, added: new TextEncoder().encode(added) }], {
      session,
    }),
    notices: textNotices(path, text, text + added),
  }
}

function existing({ path }: NoteFile, content: string, date: string) {
  return { path, date, created: false, changed: content !== '' }
}

async function filledTemplate(
  { template }: DailyNoteSettings,
  path: NotePath,
  time: WallTime,
  context: ToolContext,
): Promise<{ text: string; notices: Notice[] }> {
  if (template === undefined || template === '') return { text: '', notices: [] }
  try {
    const file = await findNote(isNote(template) ? template : `${template}.md`, context)
    mustBeUtf8(file)
    const title = path.slice(path.lastIndexOf('/') + 1, -'.md'.length)
    const text = fillTemplate(file.text, title, time)
    // The template is the user's own, but not every hand that may have changed it is.
    const notices = textNotices(path, '', text).map(({ kind, text: words }) => {
      return { kind, text: `${words} This comes from the daily note template ${file.path}.` }
    })
    return { text, notices }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { text: '', notices: [{ kind: 'other', text: `The daily note template was ignored: ${error.message}` }] }
  }
}
