import { spawn } from 'node:child_process'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a peer's program to its end. It gets no key, and nothing of the user's environment but the path. */
export function runProgram(command: string, words: string[], environment: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ran: Ran = { code: null, stdout: '', stderr: '' }
    child.stdout.on('data', (bytes) => {
      ran.stdout += bytes
    })
    child.stderr.on('data', (bytes) => {
      ran.stderr += bytes
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ ...ran, code }))
  })
}
