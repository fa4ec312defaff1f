import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { findProvider } from '../../../../core/providers/index.js'
import { keyRows, removeKey, storeKey } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { setupPlace } from '../../session/locate-vault.js'
import { padToWidth, type Terminal, visibleLine } from '../../terminal/index.js'

export async function keysSet(invocation: Invocation, id: string): Promise<void> {
  const { terminal, signal } = invocation
  const { name } = findProvider(id)
  const typed = await typedKey(terminal, name, signal)
  const { provider, source, where, hiddenBy } = await storeKey(setupPlace(invocation), id, typed)
  if (terminal.json) return terminal.printJson({ provider, source, ...(where && { where }) })
  terminal.say(`Stored the key for ${name} in ${where ? visibleLine(where) : 'the keyring of this system'}.`)
  if (hiddenBy) terminal.say(`As long as ${hiddenBy} is set, that key is used instead.`)
}

export async function keysList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const keys = await keyRows(setupPlace(invocation))
  if (terminal.json) return terminal.printJson({ keys })
  if (keys.length === 0) return terminal.say('No keys. Store one with: notewright keys set PROVIDER')
  for (const { provider, source, where } of keys) {
    terminal.print(`${padToWidth(provider, 12)} ${terminal.style.faint(where ? visibleLine(where) : source)}`)
  }
}

export async function keysRemove(invocation: Invocation, id: string): Promise<void> {
  const { terminal } = invocation
  const { provider, name, left } = await removeKey(setupPlace(invocation), id)
  if (terminal.json) return terminal.printJson({ provider, removed: true })
  terminal.say(`Removed the key for ${name}.${left ? ` ${left} is still set.` : ''}`)
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
