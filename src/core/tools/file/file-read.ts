import * as z from 'zod'
import { Failure } from '../../errors.js'
import { visibleText } from '../../text/index.js'
import { decodeNote, type NotePath, notePath } from '../../vault/index.js'
import { counted, jsonText, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { findReadableFile } from './find-note.js'

const mostFiles = 50
/** Byte limits for one file, and for all together. */
const mostOfOne = 100_000
const mostTogether = 200_000
/** Bytes of a token, where they are many for their bytes. */
const tokenBytes = 2.5

interface SharedFile {
  path: string
  content: string
  size: number
}

export const fileRead = defineTool({
  name: 'file_read',
  title: 'Read files',
  description:
    'Read several notes in full; the user picks which of them to share. Use the paths a search returned. Returns path, content and size in bytes of each.',
  activity: 'Reading notes',
  category: 'file',
  effects: ['reads'],
  needsVault: true,
  input: z.object({ filePaths: z.array(z.string()).min(1).max(mostFiles) }),
  example: { filePaths: ['Garden/Tomatoes.md', 'Garden/Compost.md'] },
  output: z.object({ files: z.array(z.object({ path: z.string(), content: z.string(), size: z.number() })) }),

  async reaches({ filePaths }, context) {
    const files = await Promise.all(filePaths.map((wanted) => found(wanted, context)))
    const notes = [...new Set(files.filter((file) => file !== undefined))]
    const input = { filePaths: [...new Set(filePaths.map((wanted, at) => files[at] ?? wanted))] }
    return { ...(notes.length > 0 && { pick: notes }), input }
  },

  /** A missing file is still reported, although nobody could pick it. */
  narrow({ filePaths }, picked, offered) {
    const isShared = (path: string) => picked.includes(path as NotePath) || !offered.includes(path as NotePath)
    return { filePaths: filePaths.filter(isShared) }
  },

  async run({ filePaths }, context) {
    const files: SharedFile[] = []
    let room = Math.min(mostTogether, Math.floor((context.room ?? Number.POSITIVE_INFINITY) * tokenBytes))
    for (const path of filePaths) {
      context.signal.throwIfAborted()
      const file = await read(path, Math.min(room, mostOfOne), context)
      room -= Math.min(file.size, room, mostOfOne)
      files.push(file)
    }
    return { files }
  },

  render: ({ files }) => jsonText(files),
  notesIn: ({ files }) => files.flatMap(({ path, size }) => (size > 0 ? [notePath(path)] : [])),
  summary: ({ files }) => counted(files.filter(({ size }) => size > 0).length, 'note'),
})

async function found(wanted: string, context: ToolContext): Promise<NotePath | undefined> {
  try {
    return await findReadableFile(wanted, context)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof Failure || systemCode(error) !== undefined) return undefined
    throw error
  }
}

async function read(wanted: string, room: number, context: ToolContext): Promise<SharedFile> {
  try {
    const path = await findReadableFile(wanted, context)
    const part = await context.vault.readPart(path, { from: 0, bytes: Math.max(room, 1) })
    if (part === undefined) return { path: wanted, content: `File not found: ${shortText(wanted)}`, size: 0 }
    return { path, content: contentOf(part.bytes.subarray(0, room), part.size), size: part.size }
  } catch (error) {
    context.signal.throwIfAborted()
    const reason = error instanceof Failure ? error.message : systemCode(error)
    if (reason === undefined) throw error
    const isMissing = error instanceof Failure && error.code === 'not-found'
    const content = isMissing ? `File not found: ${shortText(wanted)}` : `Error reading file: ${reason}`
    return { path: shortText(wanted, 1000), content, size: 0 }
  }
}

function contentOf(bytes: Uint8Array, size: number): string {
  const isCut = bytes.length < size
  const { text, encoding } = decodeNote(isCut ? wholeCharacters(bytes) : bytes)
  const notices = [
    encoding === 'invalid' && 'Not valid UTF-8: unreadable bytes are shown as U+FFFD.',
    isCut &&
      `Shortened to ${counted(bytes.length, 'byte')} of ${size.toLocaleString('en')}. Read one note to get all of it in parts.`,
  ].filter(Boolean)
  const { text: content } = visibleText(text)
  return notices.length === 0 ? content : `${content}\n[${notices.join(' ')}]`
}

/** Without the beginning of a character that the cut went through. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let last = bytes.length - 1
  while (last > 0 && last > bytes.length - 4 && ((bytes[last] ?? 0) & 0xc0) === 0x80) last--
  const lead = bytes[last] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return last + length > bytes.length ? bytes.subarray(0, last) : bytes
}

/** The system's error code. Its message would reveal the vault's location. */
function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
