import { isRecord } from '../../core/is-record.js'
import type { Programs } from '../../core/mcp/index.js'

/** Programs of this machine, and the environment that they could be given. */
export interface DesktopPrograms extends Programs {
  environment: Record<string, string | undefined>
}

/** As much of Node as the app has on the desktop. */
interface DesktopNode {
  children: Pick<Programs, 'spawn'>
  process: Pick<Programs, 'kill' | 'platform'> & { env: Record<string, string | undefined> }
}

/** undefined on a phone, and wherever the app has no Node: whether it is there is looked at, not told by the platform. */
export function desktopPrograms(): DesktopPrograms | undefined {
  const node = desktopNode()
  if (node === undefined) return undefined
  const { children, process } = node
  return {
    platform: process.platform,
    environment: process.env,
    spawn: (command, args, options) => children.spawn(command, args, options),
    kill: (pid, signal) => process.kill(pid, signal),
    whenWeGo(end) {
      window.addEventListener('pagehide', end)
      return () => window.removeEventListener('pagehide', end)
    },
  }
}

function desktopNode(): DesktopNode | undefined {
  const { require: load } = window as { require?: unknown }
  if (typeof load !== 'function') return undefined
  try {
    const [children, process] = ['child_process', 'process'].map((name) => (load as (name: string) => unknown)(name))
    const isThere =
      isRecord(children) && typeof children.spawn === 'function' && isRecord(process) && isRecord(process.env)
    return isThere ? ({ children, process } as unknown as DesktopNode) : undefined
  } catch {
    return undefined
  }
}
