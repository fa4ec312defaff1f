import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import type { Programs } from '../../../core/mcp/index.js'

/** Programs as Node starts them. */
export const nodePrograms: Programs = {
  platform: process.platform,
  // Which of its three are pipes, only its own types tell apart.
  spawn: (command, args, options) => spawn(command, args, options as SpawnOptionsWithoutStdio),
  kill: (pid, signal) => void process.kill(pid, signal),
  whenWeGo(end) {
    process.once('exit', end)
    return () => process.off('exit', end)
  },
}
