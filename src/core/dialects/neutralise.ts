// Breaks the markers in text from outside, so that no model or server takes them for calls or roles.

const tagMarkers = [
  'tool_calls?\\b',
  'toolcall\\b',
  'use_tool\\b',
  'function=',
  'function_calls?\\b',
  'invoke\\s',
  'parameter[=\\s]',
  'arg_(?:key|value)\\b',
  'minimax:',
  'mm:think>',
  'tool_sep\\b',
  '(?:start|end)_function_(?:call|response|declaration)>',
  'escape>',
  'antml:',
  'tool_(?:result|response|output)\\b',
  'think(?:ing)?[>:]',
  'seed:think>',
  '(?:start|end)_of_turn>',
  '(?:system|s|bos|eos|SYS)>',
  '(?:channel|turn)\\|>',
]
const bracketMarkers = [
  'TOOL_CALLS\\]',
  'AVAILABLE_TOOLS\\]',
  'TOOL_(?:RESULTS|CONTENT)\\]',
  'ARGS\\]',
  'CALL_ID\\]',
  'INST\\]',
  'THINK\\]',
  'SYSTEM_PROMPT\\]',
  '(?:tool_result|user|assistant|system) #',
  'function_call(?:_output)?\\s',
]

/**
 * Text that only a model or a server may write: call markers of every dialect, role markers, and the labels of our own
 * blocks.
 */
const markers = [
  `<(?=\\\\*(?:/?(?:${tagMarkers.join('|')})|[|｜][^\\s|｜]))`,
  `\\[(?=\\\\*/?(?:${bracketMarkers.join('|')}))`,
  'functools(?=\\\\*\\[)',
  'to(?=\\\\*=functions\\.)',
  'assistant(?=\\\\*(?:analysis|commentary|final))',
  '\\](?=\\\\*<\\]minimax)',
  '\\n\\n(?:Human|Assistant)(?=\\\\*:)',
  'Action(?=\\\\*:\\s*```json)',
  '◁(?=\\\\*/?think▷)',
].join('|')

const marker = new RegExp(markers, 'gi')
const neutralised = new RegExp(`(${markers})\\\\`, 'gi')

/**
 * Makes text from notes, web pages, tools and users safe for a prompt: a backslash breaks every marker and leaves it
 * readable, and hidden characters are replaced by a visible note.
 */
export function neutralise(text: string): string {
  return withoutHiddenText(text).replace(marker, '$&\\')
}

/** Removes the backslashes again, for text that a model copied from its prompt. */
export function restoreNeutralised(text: string): string {
  return text.includes('\\') ? text.replace(neutralised, '$1') : text
}

/** Restores every string in a value, such as a call's arguments. */
export function restoreDeep<T>(value: T): T {
  if (typeof value === 'string') return restoreNeutralised(value) as T
  if (Array.isArray(value)) return value.map(restoreDeep) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restoreDeep(member)])) as T
}

/** JSON on one line that contains no marker and parses to the same value. */
export function markerlessJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(marker, (found) => `\\u${hex(found)}${found.slice(1)}`)
}

const hex = (text: string): string => text.charCodeAt(0).toString(16).padStart(4, '0')

// Three flags of regions are written with tag characters; they are visible, so they stay.
const regionFlags =
  /🏴(?:\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})/gu
const invisible = /[\u{E0000}-\u{E007F}]+|[\u{E0100}-\u{E01EF}\u{FE00}-\u{FE0F}]{2,}/gu
const anyInvisible = /[\u{E0000}-\u{E01EF}]|[\uFE00-\uFE0F]/u

/** Replaces text that only a machine reads by a note in its place. */
function withoutHiddenText(text: string): string {
  if (!anyInvisible.test(text)) return text
  return betweenFlags(text, (part) =>
    part.replace(invisible, (found) => {
      const count = [...found].length
      return `[${count} hidden ${count === 1 ? 'character' : 'characters'} removed]`
    }),
  )
}

function betweenFlags(text: string, change: (part: string) => string): string {
  const kept = text.match(regionFlags) ?? []
  return text
    .split(regionFlags)
    .map((part, index) => change(part) + (kept[index] ?? ''))
    .join('')
}

/** More than the longest marker after its first character. */
const lookAhead = 40
/** Longer than any text before the backslash of a marker. */
const lookBack = 16

/**
 * Removes the backslashes of neutralising from text as it arrives. Holds back only a backslash after the beginning of a
 * marker; all other text passes immediately.
 */
export function restoreStream() {
  let before = ''
  let held = ''

  function pass(text: string): string {
    const shown = restoreNeutralised(before + text).slice(before.length)
    // A backslash that was passed on is final: a second look must not remove it.
    before = (before + shown).slice(-lookBack).replace(/^[\s\S]*\\/, '')
    return shown
  }

  return {
    push(text: string): string {
      const all = held + text
      const cut = openEnd(before, all)
      held = all.slice(cut)
      return cut === 0 ? '' : pass(all.slice(0, cut))
    },
    /** Returns the text still held back. */
    end(): string {
      const rest = held
      held = ''
      return rest === '' ? '' : pass(rest)
    },
  }
}

/** The start of text that cannot be decided yet. */
function openEnd(before: string, text: string): number {
  const from = Math.max(0, text.length - lookAhead)
  let at = text.indexOf('\\', from)
  // A run of backslashes is decided by the text after it.
  while (at > 0 && text[at - 1] === '\\') at--
  for (; at !== -1; at = text.indexOf('\\', at)) {
    if (markerStart.test((before + text.slice(Math.max(0, at - lookBack), at)).slice(-lookBack))) return at
    while (text[at] === '\\') at++
  }
  return text.length
}

const markerStart = /(?:[<[\]]|functools|action|to|assistant|\n\nhuman)$/i
