import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonLine, visibleLine } from '../terminal/index.js'
import type { Conversation } from './conversation.js'

/** The arguments as the person changes them, in their editor or on one line; undefined when they leave them as they are. */
export async function editArguments(input: unknown, conversation: Conversation, signal: AbortSignal): Promise<unknown> {
  const editor = process.env.VISUAL || process.env.EDITOR
  const aside = conversation.aside ?? ((work) => work())
  const text = editor
    ? await aside(() => inEditor(editor, input, signal))
    : await onOneLine(input, conversation, signal)
  if (text === undefined || text.trim() === '') return undefined
  try {
    const edited: unknown = JSON.parse(text)
    return JSON.stringify(edited) === JSON.stringify(input) ? undefined : edited
  } catch (error) {
    conversation.say(`That is not valid JSON: ${visibleLine((error as Error).message)}`)
    return undefined
  }
}

async function inEditor(editor: string, input: unknown, signal: AbortSignal): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'notewright-edit-'))
  try {
    const file = join(folder, 'arguments.json')
    await writeFile(file, `${JSON.stringify(input, null, 2)}\n`, { mode: 0o600 })
    // EDITOR may carry options ("code --wait"); it is the person's own setting, and still no shell sees the path.
    const [command, ...options] = editor.split(/\s+/)
    const code = await new Promise((resolve) => {
      const child = spawn(command, [...options, file], { stdio: 'inherit', signal })
      child.once('error', () => resolve(1))
      child.once('close', resolve)
    })
    return code === 0 ? await readFile(file, 'utf8') : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function onOneLine(input: unknown, conversation: Conversation, signal: AbortSignal): Promise<string | undefined> {
  conversation.say(`Now: ${jsonLine(input)}`)
  return conversation.ask('New arguments as JSON (Enter leaves them; set EDITOR to use an editor): ', signal)
}
