import { scalarText } from '../text/index.js'

/** Names other systems use for our tools, and how their arguments read in ours. Served, never advertised. */
export const aliases: Record<string, Alias> = {
  localSearch: {
    tool: 'search_notes',
    adapt: ({ query, salientTerms, timeRange }) => ({ query, salient_terms: salientTerms, time_range: timeRange }),
  },
  // The conversation stays here: a search service gets the query and nothing else.
  webSearch: { tool: 'web_search', adapt: ({ query, limit }) => ({ query, limit }) },
  getFileTree: { tool: 'get_file_tree', adapt: ({ folder, depth }) => ({ folder, depth }) },
  getCurrentTime: {
    tool: 'get_current_time',
    adapt: ({ timezoneOffset, timezone }) => ({ timezone: timezone ?? timezoneOffset }),
  },
  getTimeRangeMs: { tool: 'get_time_range', adapt: ({ timeExpression }) => ({ expression: timeExpression }) },
  convertTimeBetweenTimezones: {
    tool: 'convert_timezone',
    adapt: ({ time, fromOffset, toOffset }) => ({ time, from: fromOffset, to: toOffset }),
  },
  getTagList: { tool: 'get_tag_list', adapt: () => ({}) },
  readNote: {
    tool: 'read_note',
    adapt: ({ notePath, path, chunkIndex }) => ({ path: path ?? notePath, part: partOf(chunkIndex) }),
  },
  writeToFile: { tool: 'write_note', adapt: noteToWrite },
  writeFile: { tool: 'write_note', adapt: noteToWrite },
  replaceInFile: { tool: 'edit_note', adapt: ({ path, diff }) => ({ path, diff }) },
  editFile: {
    tool: 'edit_note',
    adapt: ({ path, oldText, newText }) => ({ path, old_text: oldText, new_text: newText }),
  },
  updateMemory: { tool: 'remember', adapt: ({ statement, text }) => ({ text: text ?? statement }) },
  indexTool: { tool: 'index_vault', adapt: () => ({}) },
  indexVault: { tool: 'index_vault', adapt: () => ({}) },
  pomodoroTool: {
    tool: 'pomodoro',
    adapt: ({ action, minutes, interval }) => ({ action: action ?? 'start', minutes: minutes ?? minutesOf(interval) }),
  },
  youtubeTranscription: { tool: 'youtube_transcription', adapt: ({ url }) => ({ url }) },
}

export interface Alias {
  tool: string
  adapt?(input: Record<string, unknown>): Record<string, unknown>
}

/** Chunks are counted from 0, parts from 1; either may come as text. */
function partOf(chunkIndex: unknown): unknown {
  return /^\d+$/.test(scalarText(chunkIndex)) ? Number(chunkIndex) + 1 : chunkIndex
}

/** Structured content (a canvas) arrives as an object. */
function noteToWrite({ path, content }: Record<string, unknown>): Record<string, unknown> {
  return { path, content: typeof content === 'object' && content !== null ? JSON.stringify(content, null, 2) : content }
}

/** "25min", "25 minutes" or 25. */
function minutesOf(interval: unknown): unknown {
  const read = /^(\d+)\s*(?:m|min|mins|minutes?)?$/i.exec(scalarText(interval).trim())
  return read ? Number(read[1]) : interval
}
