import type { LanguageModelV3Message, ModelMessage, UserModelMessage } from './sdk.js'

/** A message of a conversation as a model takes it. Nothing is fetched: an image's address is the provider's to follow. */
export function promptMessage(message: ModelMessage): LanguageModelV3Message {
  if (message.role === 'system') return message
  if (typeof message.content === 'string') {
    return { ...message, content: [{ type: 'text', text: message.content }] } as LanguageModelV3Message
  }
  if (message.role === 'user') return { ...message, content: message.content.map(userPart) }
  // Beyond files, which only a person sends, the two say the same.
  return message as LanguageModelV3Message
}

type UserPart = Exclude<UserModelMessage['content'], string>[number]
type PromptUserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]

function userPart(part: UserPart): PromptUserPart {
  if (part.type === 'text') return part
  const { type: _, ...rest } = part
  if (!('image' in rest)) return { ...rest, type: 'file', ...fileData(rest.data as FileData, rest.mediaType) }
  const { image, mediaType = 'image/*', ...more } = rest as Omit<typeof rest, 'image'> & { image: FileData }
  return { ...more, type: 'file', ...fileData(image, mediaType) }
}

/** The SDK names a type of Node besides, which is one of these. */
type FileData = string | Uint8Array | ArrayBuffer | URL

function fileData(given: FileData, mediaType: string) {
  if (given instanceof ArrayBuffer) return { data: new Uint8Array(given), mediaType }
  const text = given instanceof URL ? given.href : given
  const inside = typeof text === 'string' ? /^data:([^;,]*)[^,]*;base64,/i.exec(text) : null
  if (inside !== null) return { data: String(text).slice(inside[0].length), mediaType: inside[1] || mediaType }
  return { data: typeof text === 'string' && /^https?:/i.test(text) ? new URL(text) : given, mediaType }
}
