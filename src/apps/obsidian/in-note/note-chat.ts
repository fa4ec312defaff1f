import { findFrontmatter, readFrontmatter } from '../../../core/markdown/index.js'

/** A conversation that is written in a note. */
export interface NoteChat {
  messages: NoteMessage[]
  /** Chat settings from the note's properties; missing ones use the plugin settings. */
  model?: string
  temperature?: number
  /** The user's own words to the model. */
  instructions?: string
  stream?: boolean
  /** false: none. A list: these, of those that are switched on. */
  tools?: boolean | string[]
}

export interface NoteMessage {
  role: 'user' | 'assistant'
  text: string
}

/**
 * `## role::user`, at any level, also followed by a model name, as other plugins write it. Only these two roles: pasted
 * text must not act as a system message.
 */
const heading = /^#{0,6}\s*role::(user|assistant)\s*(?:<span[^>]*>[^<]*<\/span>)?$/
/** Other plugins draw a line above each heading. */
const ruler = /^<hr class="__chatgpt_plugin">$/

/** Without such headings, all of the note is the question. Nothing in a block of code is a heading. */
export function readNoteChat(text: string): NoteChat {
  const body = text.slice(findFrontmatter(text)?.end ?? 0)
  let message: NoteMessage = { role: 'user', text: '' }
  const messages = [message]
  let fence: string | undefined
  for (const line of body.split('\n')) {
    fence = fenceBehind(line, fence)
    const said = line.trim()
    const role = fence === undefined ? heading.exec(said)?.[1] : undefined
    if (role !== undefined) {
      message = { role: role as NoteMessage['role'], text: '' }
      messages.push(message)
    } else if (fence !== undefined || !ruler.test(said)) message.text += `${line}\n`
  }
  const said = messages.map(({ role, text: words }) => ({
    role,
    text: (role === 'assistant' ? withoutSteps(words) : withoutComments(words)).trim(),
  }))
  return { messages: said.filter((message) => message.text !== ''), ...propertiesOf(text) }
}

/** The fence of the code block that is open after a line. */
function fenceBehind(line: string, open: string | undefined): string | undefined {
  const [, marks, rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  if (marks === undefined) return open
  if (open === undefined) return marks[0] === '`' && rest.includes('`') ? undefined : marks
  return marks.startsWith(open) && rest.trim() === '' ? undefined : open
}

/** The marks of a block of code that a text leaves open. */
export function openFence(text: string): string | undefined {
  return text.split('\n').reduce<string | undefined>((open, line) => fenceBehind(line, open), undefined)
}

/** Escapes text in a reply that would be parsed as a heading of the conversation. */
export function withoutHeadings(text: string): string {
  return text.replace(/^([^\S\n]*#{0,6}[^\S\n]*role):(?=:)/gm, '$1\\:')
}

/** Removes folded tool output, which is for the user and is not sent to the model again. */
function withoutSteps(text: string): string {
  return text.replace(/^> \[!tool\].*\n(?:>.*\n)*/gm, '')
}

/** Comments that the ChatGPT MD plugin omits are omitted here too. */
function withoutComments(text: string): string {
  return text.replace(/^=begin-chatgpt-md-comment$[\s\S]*?^=end-chatgpt-md-comment$/gm, '')
}

function propertiesOf(text: string): Omit<NoteChat, 'messages'> {
  const { model, temperature, system_commands: system, stream, tools } = readFrontmatter(text)?.data ?? {}
  const lines = textsIn(Array.isArray(system) ? system : [system])
  return {
    ...(typeof model === 'string' && model !== '' && { model: ourName(model) }),
    ...(typeof temperature === 'number' && temperature >= 0 && temperature <= 2 && { temperature }),
    ...(lines.length > 0 && { instructions: lines.join('\n') }),
    ...(typeof stream === 'boolean' && { stream }),
    ...(typeof tools === 'boolean' && { tools }),
    ...(Array.isArray(tools) && { tools: textsIn(tools) }),
  }
}

const textsIn = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string')

/** `ollama@qwen3` is how other plugins write `ollama/qwen3`. */
const ourName = (model: string): string => model.replace(/^local@/, 'ollama/').replace(/^([a-z]+)@/, '$1/')
