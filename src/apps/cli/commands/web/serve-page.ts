import { Failure } from '../../../../core/errors.js'
import { type Door, type RunningServer, startServer } from '../../../server/index.js'
import type { Invocation } from '../../program/invocation.js'
import { visibleLine } from '../../terminal/index.js'

export interface WebOptions {
  port?: number
  model?: string
  open: boolean
}

interface Start {
  token: string
  doors: Door[]
  port?: number
  /** Of the settings: it may be taken by another window of ours, and then any will do. */
  usualPort: number
}

export async function start({ terminal }: Invocation, { usualPort, port, ...doors }: Start): Promise<RunningServer> {
  const setup = { ...doors, host: '127.0.0.1', log: (line: string) => terminal.trace(visibleLine(line)) }
  try {
    return await startServer({ ...setup, port: port ?? usualPort })
  } catch (error) {
    if (port !== undefined || !(error instanceof Failure)) throw error
    return startServer({ ...setup, port: 0 })
  }
}

export function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
