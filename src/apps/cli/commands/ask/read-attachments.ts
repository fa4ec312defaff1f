import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Failure } from '../../../../core/errors.js'
import { decodeRules } from '../../../../core/vault/index.js'
import { bytes } from '../../show/quantities.js'
import { mostInput } from './read-input.js'

export interface Attachment {
  name: string
  text: string
}

/** Text files the person hands over with a question. What a file is, its bytes say and not its name. */
export async function readAttachments(files: readonly string[]): Promise<Attachment[]> {
  const read: Attachment[] = []
  let left = mostInput
  for (const file of files) {
    const content = await readBytes(file, left)
    left -= content.length
    read.push({ name: basename(file), text: textOf(file, content) })
  }
  return read
}

async function readBytes(file: string, most: number): Promise<Uint8Array> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Failure('not-found', `There is no file ${file}.`)
    throw new Failure('invalid-input', `${file} cannot be read (${error.code}).`)
  })
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Failure('invalid-input', `${file} is not a file.`)
    const content = new Uint8Array(Math.min(stat.size, most + 1))
    const { bytesRead } = await handle.read(content, 0, content.length, 0)
    if (stat.size > most || bytesRead > most) {
      throw new Failure(
        'too-large',
        `${file} has ${bytes(stat.size)}; all attached files together may have ${bytes(mostInput)}.`,
        {
          hint: 'Attach the part it is about, or save it as a note and ask about the note.',
        },
      )
    }
    return content.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function textOf(file: string, content: Uint8Array): string {
  const kind = signatures.find(({ starts }) => starts.every((byte, at) => byte === undefined || content[at] === byte))
  if (kind !== undefined) {
    throw new Failure('invalid-input', `${file} is a ${kind.name}, and only text files can be attached.`)
  }
  const text = decodeRules(content)
  if (text === undefined) throw new Failure('not-utf8', `${file} is not text, so it cannot be attached.`)
  return text
}

/** How the files of other kinds begin. */
const signatures: { name: string; starts: (number | undefined)[] }[] = [
  { name: 'PNG picture', starts: [0x89, 0x50, 0x4e, 0x47] },
  { name: 'JPEG picture', starts: [0xff, 0xd8, 0xff] },
  { name: 'GIF picture', starts: [0x47, 0x49, 0x46, 0x38] },
  {
    name: 'WebP picture',
    starts: [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50],
  },
  { name: 'PDF', starts: [0x25, 0x50, 0x44, 0x46] },
]
