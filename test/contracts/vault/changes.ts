import { Failure, type FailureCode } from '../../../src/core/errors.js'
import {
  type Change,
  type ChangeSet,
  changeSet,
  hashBytes,
  type JournaledVault,
  notePath,
} from '../../../src/core/vault/index.js'

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

export function set(changes: Change[]): ChangeSet {
  return changeSet('Test', changes)
}

export function create(path: string, text = ''): Change {
  return { kind: 'create', path: path as Change['path'], after: encode(text) }
}

export function edit(path: string, before: string, after: string): Change {
  return { kind: 'edit', path: notePath(path), before: hashBytes(encode(before)), after: encode(after) }
}

export function append(path: string, added: string): Change {
  return { kind: 'append', path: notePath(path), added: encode(added) }
}

export function move(path: string, to: string, before: string): Change {
  return { kind: 'move', path: notePath(path), to: to as Change['path'], before: hashBytes(encode(before)) }
}

export function trash(path: string, before: string): Change {
  return { kind: 'trash', path: notePath(path), before: hashBytes(encode(before)) }
}

export function texts(files: Map<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries([...files].map(([path, bytes]) => [path, decode(bytes)]))
}

export async function failure(vault: JournaledVault, ...changes: Change[]): Promise<Failure & { code: FailureCode }> {
  const error = await vault.apply(set(changes)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Failure)) throw error ?? new Error('It should have been refused.')
  return error
}
