import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// No shell sees any of it: programs get their arguments as a list, and texts in a file or on standard input.

type Environment = Record<string, string | undefined>

/** The command of the user's editor, which may carry options ("code --wait"). */
export const editorOf = ({ VISUAL, EDITOR }: Environment): string | undefined => VISUAL || EDITOR || undefined

/** Lets the user edit a text in their editor. undefined: the editor could not be started, or ended with an error. */
export async function editText(
  editor: string,
  { name, text }: { name: string; text: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'notewright-edit-'))
  try {
    const file = join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    const [command = editor, ...options] = editor.trim().split(/\s+/)
    const code = await new Promise((resolve) => {
      const child = spawn(command, [...options, file], { stdio: 'inherit', signal })
      child.once('error', () => resolve(1))
      child.once('close', resolve)
    })
    return code === 0 ? await readFile(file, 'utf8') : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The way by which a text got into the clipboard. */
export type Copied = { by: 'program'; program: string } | { by: 'terminal' } | { by: 'none' }

interface Clipboard {
  environment: Environment
  platform: string
  /** Writes an escape sequence to the terminal. */
  write(sequence: string): void
}

/** Terminals ignore a longer text, or cut it. */
const mostEncoded = 74_994

/**
 * Copies a text with the platform's program, or else with the terminal's own sequence (OSC 52). Over SSH a program
 * would fill the clipboard of the other machine, so the terminal comes first.
 */
export async function copyText(text: string, { environment, platform, write }: Clipboard): Promise<Copied> {
  for (const [program, ...options] of clipboardPrograms(environment, platform)) {
    if (await feed(program, options, program === 'clip.exe' ? `\ufeff${text}` : text)) return { by: 'program', program }
  }
  const encoded = Buffer.from(text, 'utf8').toString('base64')
  if (encoded.length > mostEncoded) return { by: 'none' }
  write(`\x1b]52;c;${encoded}\x07`)
  return { by: 'terminal' }
}

const waylandPrograms: [string, ...string[]][] = [['wl-copy']]
const x11Programs: [string, ...string[]][] = [
  ['xclip', '-selection', 'clipboard'],
  ['xsel', '--input', '--clipboard'],
]

function clipboardPrograms(environment: Environment, platform: string): [program: string, ...options: string[]][] {
  // tmux ignores the sequence by default, and hands a text of its own to the terminal.
  if (environment.TMUX) return [['tmux', 'load-buffer', '-w', '-']]
  if (environment.SSH_CONNECTION || environment.SSH_TTY) return []
  if (platform === 'darwin') return [['pbcopy']]
  if (platform === 'win32' || environment.WSL_DISTRO_NAME) return [['clip.exe']]
  return [...(environment.WAYLAND_DISPLAY ? waylandPrograms : []), ...(environment.DISPLAY ? x11Programs : [])]
}

/** A clipboard program that takes longer has no display to talk to. */
const mostMs = 5000

function feed(program: string, options: string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, options, { stdio: ['pipe', 'ignore', 'ignore'] })
    const timer = setTimeout(() => {
      child.kill()
      resolve(false)
    }, mostMs)
    const end = (isDone: boolean) => {
      clearTimeout(timer)
      resolve(isDone)
    }
    child.once('error', () => end(false))
    child.once('close', (code) => end(code === 0))
    child.stdin.on('error', () => {})
    child.stdin.end(text, program === 'clip.exe' ? 'utf16le' : 'utf8')
  })
}
