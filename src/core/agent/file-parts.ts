import type { FileFacts } from '../files.js'
import { base64, describeFile, hasPictureOrPdfName } from '../files.js'
import type { EnclosedPart, ModelMessage, Profile, RequestParts, UserModelMessage } from '../model/index.js'
import { requestParts, splitRequest, userMessage } from '../model/index.js'
import { bytes as size } from '../text/index.js'
import type { ToolResult, ToolSetup } from '../tools/index.js'
import type { NotePath } from '../vault/index.js'
import { enveloped, envelopeLabel } from './system-prompt.js'
import type { AgentEvent } from './turn.js'

/** A picture or PDF attached to a message. Its bytes are loaded for each request, and are in no event. */
export interface FileReference extends FileFacts {
  /** Location of the bytes: a path in the vault, or stored with the session as an attachment. */
  from: 'vault' | 'given'
  /** Its path, or the name it was handed over with. */
  name: string
}

type UserPart = Exclude<UserModelMessage['content'], string>[number]

/** A request with its files. The text comes last, because additions to a request follow it. */
export function requestMessage(text: string, files: readonly FileReference[]): ModelMessage {
  if (files.length === 0) return userMessage(text)
  return { role: 'user', content: [...files.map(filePart), { type: 'text', text }] }
}

/** The note, selection and attachments that a question was asked with, from the events of its turn. */
export function contextOfTurn(events: readonly AgentEvent[]): {
  note?: string
  selection?: string
  attached: { name: string; text: string }[]
  files: FileReference[]
} {
  const start = events.find((event) => event.type === 'run-start')
  const said = events.find((event) => event.type === 'messages')?.messages.find(({ role }) => role === 'user')
  const content = said?.role === 'user' ? said.content : ''
  const pieces = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const text = pieces.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  const { currentNote, enclosed: kinds } = (said && requestParts(said)) ?? earlierParts(text, start?.attached)
  // A stored message has the files themselves, and no text instead of them.
  const parts = {
    ...(currentNote !== undefined && { currentNote }),
    enclosed: kinds.filter(({ kind }) => kind !== 'file'),
  }
  const { enclosed } = splitRequest(text, parts)
  const selection = enclosed.find(({ part }) => part?.kind === 'selection')?.text
  const attached = enclosed.flatMap(({ part, text }) =>
    part?.kind === 'attachment' ? [{ name: part.name, text }] : [],
  )
  const files = pieces.flatMap((part) => referenceIn(part) ?? []).filter(({ from }) => from === 'given')
  return {
    ...(currentNote !== undefined && { note: currentNote }),
    ...(selection !== undefined && { selection }),
    attached,
    files,
  }
}

/** The structure of a request that was stored without it by version 0.1. Its labels are part of that stored format. */
function earlierParts(text: string, attached: readonly string[] = []): RequestParts {
  const [, note] = /^The open note is (".*")\.(?:\n|$)/.exec(text) ?? []
  const open = note === undefined ? {} : { currentNote: JSON.parse(note) as string }
  const kindOf = (label: string): EnclosedPart => {
    if (label === 'selected text') return { kind: 'selection' }
    const name = attached.find((each) => envelopeLabel(each) === label)
    return name === undefined ? { kind: 'instructions' } : { kind: 'attachment', name }
  }
  const { enclosed } = splitRequest(text, { ...open, enclosed: [] })
  return { ...open, enclosed: enclosed.map(({ label }) => kindOf(label)) }
}

function filePart(file: FileReference): UserPart {
  const { mediaType, name, hash } = file
  // Without bytes: if sent by mistake, the provider refuses it and no data leaks.
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

/** Text-only content becomes one string, which every server accepts. */
function joinedTexts(content: UserPart[]): UserModelMessage['content'] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === content.length ? texts.join('\n\n') : content
}

/** Loads the bytes of a turn's files. */
export interface FileSource {
  /** Undefined if the file is gone or has changed. */
  bytes(file: FileReference): Promise<Uint8Array | undefined>
  /** Notices that were already shown. */
  reported: Set<string>
}

/** The text sent in place of a file, and the notice for the user. */
interface Unsent {
  model: string
  person: string
}

/** Replaces files that this model does not accept by a sentence. */
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

/** Loads the bytes of the remaining files. */
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

const label = (file: FileReference): string => `[${JSON.stringify(file.name)}: ${describeFile(file)}]`

/** Enclosed, so that it is not mistaken for the user's text; always the same, so that requests share a prefix. */
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
      model: `You cannot see it, because you do not accept ${kinds}. Say so, and do not guess its content.`,
      person: `${name} was not sent: ${modelName} doesn't accept ${kinds}.`,
    }
  }
  if (file.size <= most) return undefined
  const why = `it is ${size(file.size)}, and ${modelName} accepts ${kinds} up to ${size(most)}`
  return { model: 'It is too large to be shown to you. Say so.', person: `${name} was not sent: ${why}.` }
}

function gone({ from, name }: FileReference): Unsent {
  const why = from === 'vault' ? 'no longer exists or has changed' : 'is no longer stored'
  return {
    model: 'It was shown to you earlier and is no longer available.',
    person: `${name} was not sent again: it ${why}.`,
  }
}

/** Files of the results that are sent to the model. */
export function shownFiles(results: readonly ToolResult[], { registry }: Pick<ToolSetup, 'registry'>): FileReference[] {
  return results.flatMap((result) => {
    // The output of a call made by an earlier process may be unknown.
    if (!result.ok || result.output === null) return []
    const files = registry.find(result.name)?.tool.filesIn?.(result.output) ?? []
    return files.map(({ path, ...facts }): FileReference => ({ ...facts, from: 'vault', name: path }))
  })
}

/** Pictures and PDFs embedded in the notes that were just read, in order, as far as they are visible to the model. */
export async function embedsIn(
  results: readonly ToolResult[],
  { guard, context, registry }: Pick<ToolSetup, 'guard' | 'context' | 'registry'>,
): Promise<NotePath[]> {
  const { index } = guard.filterVisible(context)
  const found = new Set<NotePath>()
  for (const result of results) {
    if (!result.ok || result.output === null || result.name !== 'read_note') continue
    for (const path of registry.find(result.name)?.tool.notesIn?.(result.output) ?? []) {
      for (const { kind, target } of await index.linksFrom(path)) {
        if (kind === 'embed' && target !== null && hasPictureOrPdfName(target)) found.add(target)
      }
    }
  }
  return [...found]
}
