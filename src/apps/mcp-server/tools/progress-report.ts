import type { ServerContext } from '@modelcontextprotocol/server'
import type { ToolProgress } from '../../../core/tools/index.js'

/** Often enough for an eye. */
const everyMs = 100

/** Tells a client that asked for it how far its call is. What is told only ever grows, over all that a call goes through. */
export function progressReport({ mcpReq }: ServerContext): (progress: ToolProgress) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  let told = -1
  let before = 0
  let last: ToolProgress | undefined
  let toldAt = 0
  return (progress) => {
    const { text: message, done = 0, total } = progress
    // The next stage begins at nothing again.
    if (last !== undefined && last.text !== message) before += last.total ?? last.done ?? 0
    last = progress
    const now = before + done
    const isEnd = done === total
    if (now <= told || (!isEnd && performance.now() - toldAt < everyMs)) return
    told = now
    toldAt = performance.now()
    const params = { progressToken, progress: now, message, ...(total !== undefined && { total: before + total }) }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
