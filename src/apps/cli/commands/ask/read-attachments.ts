import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Failure } from '../../../../core/errors.js'
import { type GivenFile, mostTogether } from '../../../../core/files/index.js'
import { bytes } from '../../show/quantities.js'

/** Files the person hands over with a question. What they are is for the session to find out. */
export async function readAttachments(files: readonly string[]): Promise<GivenFile[]> {
  const read: GivenFile[] = []
  let left = mostTogether
  for (const file of files) {
    const content = await readBytes(file, left)
    left -= content.length
    read.push({ name: basename(file), bytes: content })
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
        `${file} has ${bytes(stat.size)}; all attached files together may have ${bytes(mostTogether)}.`,
        {
          hint: 'Attach the part it is about, or save it smaller.',
        },
      )
    }
    return content.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
