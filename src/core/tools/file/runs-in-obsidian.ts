import { decodedAddress } from './decoded-address.js'

/**
 * Whether an address, or one inside it, makes Obsidian or a plugin run something when it is opened.
 * Opening a note, a search or a setting runs nothing.
 */
export function runsInObsidian(address: string): boolean {
  const plain = decodedAddress(address)
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    .replace(/[\u0000-\u001f]/g, '')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  if (!/obsidian:/i.test(plain)) return false
  const [, ...parameters] = plain.split(/[?&;]/)
  if (parameters.some((parameter) => runningParameters.has(nameIn(parameter.split('=', 1)[0])))) return true
  return [...plain.matchAll(actions)].some(([, action]) => runningActions.test(nameIn(action)))
}

const actions = /obsidian:\/*([^?#&;)\]\s]{0,200})/gi

/** Of Shell commands, QuickAdd, Command URI, Actions URI and CodeScript Toolkit. */
const runningActions = /^(?:shell-commands|quickadd|command|actions-uri\/+command(?:\/.*)?|codescripttoolkit)$/

/** Of Advanced URI, Note Toolbar and the plugins above: code, a command, a program, a plugin to switch on or off. */
const runningParameters = new Set([
  'eval',
  'command',
  'commandid',
  'commandname',
  'command-id',
  'command-name',
  'commands',
  'execute',
  'script',
  'enable-plugin',
  'disable-plugin',
  'updateplugins',
])

/** A sentence that ends behind an address adds its punctuation to it. */
function nameIn(text: string): string {
  return percentDecoded(text.slice(0, 200))
    .replace(/[\s/.,:!'"*_]+$/, '')
    .trim()
    .toLowerCase()
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
