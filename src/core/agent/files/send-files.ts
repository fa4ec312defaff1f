import { base64, fileWords } from '../../files/index.js'
import type { ModelMessage, Profile } from '../../model/index.js'
import { bytes as size } from '../../text/index.js'
import { enveloped } from '../system-prompt.js'
import { type FileReference, referenceIn, replaceFiles, type UserPart } from './file-part.js'

/** How a turn comes by the bytes of what its messages are about. */
export interface FileSource {
  /** Undefined when they are not there any more, or not the same. */
  bytes(file: FileReference): Promise<Uint8Array | undefined>
  /** What the person knows already. */
  told: Set<string>
}

/** What is sent in place of a file, and what the person hears. */
interface Unsent {
  model: string
  person: string
}

/** A conversation without the files that this model does not take: a sentence is in their place. */
export function withoutUnseen(
  messages: readonly ModelMessage[],
  { files }: Pick<Profile, 'files'>,
  modelName: string,
): { messages: ModelMessage[]; notices: string[] } {
  const notices: string[] = []
  const kept = replaceFiles(messages, (file) => {
    const unsent = whyUnseen(file, files, modelName)
    if (unsent === undefined) return undefined
    notices.push(unsent.person)
    return [inPlaceOf(file, unsent)]
  })
  return { messages: kept, notices }
}

/** The same with the bytes of what is left. */
export async function withBytes(
  messages: readonly ModelMessage[],
  source: Pick<FileSource, 'bytes'> | undefined,
): Promise<{ messages: ModelMessage[]; notices: string[] }> {
  const found = new Map<string, Uint8Array | undefined>()
  for (const file of filesIn(messages)) found.set(key(file), await source?.bytes(file))
  if (found.size === 0) return { messages: [...messages], notices: [] }
  const notices: string[] = []
  const sent = replaceFiles(messages, (file) => {
    const bytes = found.get(key(file))
    if (bytes !== undefined) return shown(file, bytes)
    const unsent = gone(file)
    notices.push(unsent.person)
    return [inPlaceOf(file, unsent)]
  })
  return { messages: sent, notices }
}

function filesIn(messages: readonly ModelMessage[]): FileReference[] {
  return messages.flatMap(({ role, content }) =>
    role !== 'user' || typeof content === 'string' ? [] : content.flatMap((part) => referenceIn(part) ?? []),
  )
}

const key = ({ from, name, hash }: FileReference): string => `${from} ${hash} ${name}`

function shown(file: FileReference, bytes: Uint8Array): UserPart[] {
  const filename = file.name.slice(file.name.lastIndexOf('/') + 1)
  return [
    { type: 'text', text: `${label(file)}\n` },
    { type: 'file', mediaType: file.mediaType, filename, data: base64(bytes) },
  ]
}

const label = (file: FileReference): string => `[${JSON.stringify(file.name)}: ${fileWords(file)}]`

/** Enclosed, so that it is not taken for a word of the person's; the same each time, so that requests begin alike. */
const inPlaceOf = (file: FileReference, { model }: Unsent): UserPart => ({
  type: 'text',
  text: enveloped(`not shown: ${label(file)}`, model, file.hash.slice(0, 8)),
})

function whyUnseen(file: FileReference, takes: Profile['files'], modelName: string): Unsent | undefined {
  const { kind, name } = file
  const most = takes[kind]
  const kinds = kind === 'image' ? 'pictures' : 'PDFs'
  if (most === undefined) {
    return {
      model: `It is not shown to you, since you take no ${kinds}: say so, and do not guess what is in it.`,
      person: `${name} was not sent: ${modelName} takes no ${kinds}.`,
    }
  }
  if (file.size <= most) return undefined
  const why = `it has ${size(file.size)}, and ${modelName} takes ${kinds} of at most ${size(most)}`
  return { model: 'It is too large to be shown to you: say so.', person: `${name} was not sent: ${why}.` }
}

function gone({ from, name }: FileReference): Unsent {
  const why = from === 'vault' ? 'is not there any more, or has changed' : 'is not kept any more'
  return {
    model: 'It was shown to you earlier and is not there any more.',
    person: `${name} was not sent again: it ${why}.`,
  }
}
