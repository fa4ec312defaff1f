/** What starts programs: as much of Node's `child_process` and `process` as servers need. Hosts that have Node give it. */
export interface Programs {
  platform: string
  /** Without a shell: each argument is passed on as it stands. */
  spawn: (command: string, args: string[], options: SpawnOptions) => Program
  /** A negative number is a group of processes. */
  kill: (pid: number, signal: 'SIGKILL') => void
  /** Calls this when we go, as far as that is told. Answers how to call it off. */
  whenWeGo: (end: () => void) => () => void
}

export interface SpawnOptions {
  env?: Record<string, string>
  stdio: 'pipe' | ['pipe', 'ignore', 'ignore']
  detached: boolean
  shell: false
  windowsHide: true
}

/** A program that was started, in the shape that Node gives it. */
export interface Program {
  pid?: number
  stdin: ProgramInput
  stdout: ProgramOutput
  stderr: ProgramOutput
  once: Once
  kill: (signal: 'SIGKILL') => unknown
  unref: () => void
}

interface Once {
  (event: 'spawn' | 'close', listener: () => void): unknown
  (event: 'error', listener: (error: Error & { code?: string }) => void): unknown
  (event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown
}

export interface ProgramInput {
  readonly writable: boolean
  write: (text: string, done: (error?: Error | null) => void) => unknown
  end: () => unknown
  on: (event: 'error', listener: (error: Error) => void) => unknown
}

export interface ProgramOutput {
  on: (event: 'data', listener: (bytes: Uint8Array) => void) => unknown
  removeAllListeners: (event: 'data') => unknown
  /** What comes from now on is not kept. */
  resume: () => unknown
  destroy: () => unknown
}
