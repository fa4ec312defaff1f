import type { FileFacts } from '../../files/index.js'
import { type ModelMessage, type UserModelMessage, userMessage } from '../../model/index.js'

/** A picture or PDF that a message is about. The bytes are fetched anew for each request, and are in no event. */
export interface FileReference extends FileFacts {
  /** Where the bytes are: at this path of the vault, or kept with the session because the person handed them over. */
  from: 'vault' | 'given'
  /** Its path, or the name it was handed over with. */
  name: string
}

export type UserPart = Exclude<UserModelMessage['content'], string>[number]

/** A request with what it is about. The words come last: what follows them is for the end of a request. */
export function requestMessage(text: string, files: readonly FileReference[]): ModelMessage {
  if (files.length === 0) return userMessage(text)
  return { role: 'user', content: [...files.map(filePart), { type: 'text', text }] }
}

function filePart(file: FileReference): UserPart {
  const { mediaType, name, hash } = file
  // No bytes: sent by mistake, it would be refused and would have told nothing.
  return {
    type: 'file',
    mediaType,
    filename: name,
    data: `sha256:${hash}`,
    providerOptions: { notewright: { ...file } },
  }
}

/** The file that a part stands for; undefined for a part that is complete in itself. */
export function referenceIn(part: unknown): FileReference | undefined {
  const { type, providerOptions } = part as { type: string; providerOptions?: { notewright?: unknown } }
  const reference = type === 'file' ? providerOptions?.notewright : undefined
  return (reference as FileReference | undefined)?.hash === undefined ? undefined : (reference as FileReference)
}

/** The same messages, with something else in the place of files. */
export function replaceFiles(
  messages: readonly ModelMessage[],
  replace: (file: FileReference) => UserPart[] | undefined,
): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    const content = message.content.flatMap((part): UserPart[] => {
      const reference = referenceIn(part)
      return (reference && replace(reference)) ?? [part]
    })
    return { ...message, content: joinedTexts(content) }
  })
}

/** Only words are one text, which every server takes. */
function joinedTexts(content: UserPart[]): UserModelMessage['content'] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === content.length ? texts.join('\n\n') : content
}
