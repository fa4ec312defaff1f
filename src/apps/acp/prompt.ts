import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { Failure } from '../../core/errors.js'
import type { AttachedFile } from '../../core/files.js'
import type { Request } from '../../core/session/index.js'

/** Reads a file that is open in the editor, with its unsaved text; undefined if the editor offers no such request. */
export type ReadInEditor = ((path: string) => Promise<string>) | undefined

/**
 * The blocks of a prompt as one request. A link to a note of the vault names the note; a file elsewhere is read by the
 * editor and attached.
 */
export async function readPrompt(
  blocks: readonly ContentBlock[],
  root: string,
  readInEditor: ReadInEditor,
): Promise<Request> {
  const words: string[] = []
  const files: AttachedFile[] = []
  const attached: { name: string; text: string }[] = []
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        words.push(block.text)
        break
      case 'image':
        files.push({ name: `picture ${files.length + 1}`, bytes: Buffer.from(block.data, 'base64') })
        break
      case 'resource_link': {
        const path = pathOf(block.uri)
        const note = path === undefined ? undefined : pathInVault(path, root)
        if (note !== undefined) words.push(`@[[${note}]]`)
        else if (path === undefined) words.push(block.uri)
        else attached.push({ name: block.name, text: await readElsewhere(path, readInEditor) })
        break
      }
      case 'resource': {
        const { resource } = block
        const path = pathOf(resource.uri)
        const name = (path !== undefined && pathInVault(path, root)) || resource.uri
        if ('text' in resource) attached.push({ name, text: resource.text })
        else files.push({ name, bytes: Buffer.from(resource.blob, 'base64') })
        break
      }
      default:
        throw new Failure('invalid-input', `Content of the type ${block.type} can't be sent.`, {
          hint: 'Send text, pictures or files.',
        })
    }
  }
  const text = words.join(' ').trim()
  if (text === '' && attached.length === 0 && files.length === 0) {
    throw new Failure('invalid-input', 'The prompt is empty.', { hint: 'Type a question or a request.' })
  }
  return { text, ...(attached.length > 0 && { attached }), ...(files.length > 0 && { files }) }
}

/** The path of a `file:` address without its line numbers; undefined for other addresses. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return isAbsolute(uri) ? uri : undefined
  try {
    return fileURLToPath(new URL(uri.replace(/[?#].*$/s, '')))
  } catch {
    throw new Failure('invalid-input', `${uri.slice(0, 200)} is not a valid file address.`)
  }
}

/** The vault-relative path; the vault itself checks it wherever it is used. */
function pathInVault(path: string, root: string): string | undefined {
  const inside = relative(root, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? undefined : inside.split(sep).join('/')
}

async function readElsewhere(path: string, readInEditor: ReadInEditor): Promise<string> {
  if (readInEditor !== undefined) return readInEditor(path)
  throw new Failure('path', `${path} is outside of the vault, and this editor can't pass its text on.`, {
    hint: 'Paste the relevant part instead.',
  })
}
