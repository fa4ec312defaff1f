import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { Failure } from '../../../../core/errors.js'
import { findProvider, providers } from '../../../../core/providers/index.js'
import type { Invocation } from '../../program/invocation.js'
import { openKeyStore } from '../../session/open-key-store.js'
import { padToWidth, type Terminal, visibleLine } from '../../terminal/index.js'

export async function keysSet(invocation: Invocation, id: string): Promise<void> {
  const { terminal, signal } = invocation
  const provider = findProvider(id)
  const store = await openKeyStore(invocation)
  const { source, where } = await store.set(provider, await typedKey(terminal, provider.name, signal))
  const used = await store.find(provider)
  if (terminal.json) return terminal.printJson({ provider: provider.id, source, ...(where && { where }) })
  terminal.say(`Stored the key for ${provider.name} in ${where ? visibleLine(where) : 'the keyring of this system'}.`)
  if (used?.source === 'environment') terminal.say(`As long as ${used.where} is set, that key is used instead.`)
}

export async function keysList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const store = await openKeyStore(invocation)
  const keys = []
  for (const provider of providers) {
    const found = await store.find(provider)
    if (found === undefined) continue
    const { source, where } = found
    keys.push({ provider: provider.id, source, ...(where && { where }) })
  }
  if (terminal.json) return terminal.printJson({ keys })
  if (keys.length === 0) return terminal.say('No keys. Store one with: notewright keys set PROVIDER')
  for (const { provider, source, where } of keys) {
    terminal.print(`${padToWidth(provider, 12)} ${terminal.style.faint(where ? visibleLine(where) : source)}`)
  }
}

export async function keysRemove(invocation: Invocation, id: string): Promise<void> {
  const { terminal } = invocation
  const provider = findProvider(id)
  const store = await openKeyStore(invocation)
  const isRemoved = await store.remove(provider)
  const left = await store.find(provider)
  if (!isRemoved) {
    const hint = left?.source === 'environment' ? `There is one in ${left.where}, which is yours to unset.` : undefined
    throw new Failure('not-found', `No key is stored for ${provider.name}.`, { hint })
  }
  if (terminal.json) return terminal.printJson({ provider: provider.id, removed: true })
  terminal.say(`Removed the key for ${provider.name}.${left?.where ? ` ${left.where} is still set.` : ''}`)
}

/** From a pipe, or typed without being shown. */
async function typedKey(terminal: Terminal, name: string, signal: AbortSignal): Promise<string> {
  if (!terminal.canAsk) return readAll(terminal.input)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // It switches the echo off, so it is there before the question is.
  const lines = createInterface({ input: terminal.input, output: nowhere, terminal: true })
  terminal.messages.write(`Key for ${name} (not shown): `)
  const interrupted = new AbortController()
  lines.once('SIGINT', () => interrupted.abort())
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question('', { signal: AbortSignal.any([signal, interrupted.signal]) }), closed])
  } finally {
    lines.close()
    terminal.messages.write('\n')
  }
}
