import { badField } from '../../server/index.js'
import { newId } from '../ids.js'
import type { ContentPart, Item, MessageItem } from '../items.js'
import { type Fields, fieldsOf } from './fields.js'

/** Finds an item that is kept, for a client that only names it. */
export type FindItem = (id: string) => Item | undefined

/** What a client puts in: one text, or the items of a conversation. */
export function inputItems(given: unknown, find: FindItem): Item[] {
  if (typeof given === 'string') return [userText(given)]
  if (!Array.isArray(given)) throw badField('input', 'input must be a text or a list of items.', 'invalid_type')
  return given.map((item, index) => inputItem(fieldsOf(item, `input[${index}]`), find))
}

export function userText(text: string): MessageItem {
  return message('user', [{ type: 'input_text', text }])
}

export function message(role: MessageItem['role'], content: ContentPart[], id = newId('msg')): MessageItem {
  return { type: 'message', id, status: 'completed', role, content }
}

function inputItem(fields: Fields, find: FindItem): Item {
  const type = fields.text('type') ?? (fields.get('role') === undefined ? 'item_reference' : 'message')
  switch (type) {
    case 'message': {
      const role = fields.oneOf('role', ['user', 'assistant', 'system', 'developer'])
      if (role === undefined) throw missing(fields, 'role')
      return message(role, contentParts(fields, 'content', role), fields.text('id'))
    }
    case 'function_call':
      return {
        type,
        id: fields.text('id') ?? newId('fc'),
        call_id: fields.needText('call_id'),
        name: fields.needText('name'),
        arguments: fields.text('arguments') ?? '',
        status: 'completed',
      }
    case 'function_call_output': {
      const output = fields.get('output')
      if (output === undefined) throw missing(fields, 'output')
      return {
        type,
        id: fields.text('id') ?? newId('fco'),
        call_id: fields.needText('call_id'),
        output: typeof output === 'string' ? output : contentParts(fields, 'output', 'user'),
        status: 'completed',
      }
    }
    case 'reasoning':
      return {
        type,
        id: fields.text('id') ?? newId('rs'),
        summary: reasoningTexts(fields),
        ...(fields.text('encrypted_content') && { encrypted_content: fields.text('encrypted_content') }),
      }
    case 'compaction':
      return { type, id: fields.text('id') ?? newId('cmp'), encrypted_content: fields.needText('encrypted_content') }
    case 'item_reference': {
      const id = fields.needText('id')
      const found = find(id)
      if (found !== undefined) return found
      const message = `There is no item ${id.slice(0, 80)} here. It may have been deleted, or is no longer kept.`
      throw badField(fields.at('id'), message, 'item_not_found')
    }
    default:
      // What a client hands back of ours to look at is nothing a model needs.
      if (type === 'notewright:step') return { type: 'reasoning', id: newId('rs'), summary: [] }
      refuseApproval(fields)
      throw badField(
        fields.at('type'),
        `Items of the type ${type.slice(0, 80)} are not supported here.`,
        'unsupported_item',
      )
  }
}

/** Nobody can be asked here, so nobody has agreed to anything: whoever says so has made it up. */
export function refuseApproval(fields: Fields): void {
  const isOne = fields.get('approval') !== undefined || /approval/i.test(`${fields.get('type')} ${fields.get('state')}`)
  if (!isOne) return
  throw badField(fields.path, 'This server has asked for no approval, so none can be given.', 'approval_unknown')
}

function reasoningTexts(fields: Fields): { type: 'summary_text'; text: string }[] {
  const parts = [...(fields.list('summary') ?? []), ...(fields.list('content') ?? [])]
  return parts.map((part) => ({ type: 'summary_text', text: part.text('text') ?? '' }))
}

function contentParts(fields: Fields, name: string, role: MessageItem['role']): ContentPart[] {
  const given = fields.get(name)
  if (given === undefined && role === 'assistant') return []
  if (given === undefined) throw missing(fields, name)
  if (typeof given === 'string') return [textPart(role, given)]
  const parts = fields.list(name)
  if (parts === undefined) throw missing(fields, name)
  return parts.map((part) => contentPart(part, role))
}

function textPart(role: MessageItem['role'], text: string): ContentPart {
  return role === 'assistant'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'input_text', text }
}

function contentPart(part: Fields, role: MessageItem['role']): ContentPart {
  const type = part.text('type')
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
    case 'reasoning_text':
      return textPart(role, textOf(part, 'text'))
    case 'refusal':
      return { type, refusal: textOf(part, 'refusal') }
    case 'input_image': {
      if (part.get('file_id') !== undefined) throw noFiles(part)
      return { type, ...imageOf(part, part.needText('image_url')) }
    }
    case 'input_file':
      return filePart(part)
    default:
      refuseApproval(part)
      throw badField(
        part.at('type'),
        `Parts of the type ${type ?? 'nothing'} are not supported here.`,
        'unsupported_part',
      )
  }
}

export function textOf(part: Fields, name: string): string {
  const text = part.text(name)
  if (text === undefined) throw missing(part, name)
  return text
}

/** An image as a data URL, or an address that the model's provider follows; nothing is fetched here. */
export function imageOf(part: Fields, url: string): { image_url: string; detail?: string } {
  if (!/^(data:image\/[\w.+-]+;base64,|https?:\/\/)/i.test(url)) {
    throw badField(part.at('image_url'), 'An image is a data URL (base64) or a web address.')
  }
  const detail = part.text('detail')
  return { image_url: url, ...(detail && { detail }) }
}

export function filePart(part: Fields): ContentPart {
  if (part.get('file_id') !== undefined) throw noFiles(part)
  const [data, url, filename] = ['file_data', 'file_url', 'filename'].map((name) => part.text(name))
  if (data === undefined && url === undefined) throw missing(part, 'file_data')
  if (data !== undefined && !/^data:[\w.+-]+\/[\w.+-]+;base64,/i.test(data)) {
    throw badField(part.at('file_data'), 'A file is a data URL (base64).')
  }
  return {
    type: 'input_file',
    ...(data && { file_data: data }),
    ...(url && { file_url: url }),
    ...(filename && { filename }),
  }
}

const noFiles = (part: Fields) =>
  badField(part.at('file_id'), 'No files are kept here; send the data itself.', 'unsupported_parameter')

export const missing = (fields: Fields, name: string) =>
  badField(fields.at(name), `${fields.at(name)} is missing.`, 'missing_required_parameter')
