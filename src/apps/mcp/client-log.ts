import { LOG_LEVEL_META_KEY, type LoggingLevel, type Server, type ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { ToolProgress, ToolStep } from '../../core/tools/index.js'

/** Least severe first, as in the protocol. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export const levelRequest = z.object({ level: z.enum(levels) })

/** A log message to a client. It never contains text of a note, or a key. */
interface LogMessage {
  message: string
  [fact: string]: unknown
}

export type SendLog = (level: LoggingLevel, message: LogMessage) => void

/** The log level of one connection. Nothing is sent before the client has set it. */
export interface ClientLog {
  level: LoggingLevel | undefined
}

/** Sends messages that belong to no request. Only older revisions of the protocol have them. */
export function logToConnection(server: Server, log: ClientLog): SendLog {
  return (level, message) => {
    if (isWanted(level, log.level)) server.notification(notification(level, message)).catch(ignoreDisconnect)
  }
}

/** Sends messages about a request, on its response stream. In the newer revision each request sets its level. */
export function logToRequest({ mcpReq }: ServerContext, log: ClientLog): SendLog {
  const ownLevel = (mcpReq.envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL_META_KEY]
  return (level, message) => {
    const wanted = (ownLevel as LoggingLevel | undefined) ?? log.level
    if (isWanted(level, wanted)) mcpReq.notify(notification(level, message)).catch(ignoreDisconnect)
  }
}

const isWanted = (level: LoggingLevel, wanted: LoggingLevel | undefined): boolean =>
  wanted !== undefined && levels.indexOf(level) >= levels.indexOf(wanted)

const notification = (level: LoggingLevel, data: LogMessage) => ({
  method: 'notifications/message' as const,
  params: { level, logger: 'notewright', data },
})

/** Logs the progress and the outcome of a call. */
export function clientCallLog(tool: string, send: SendLog) {
  let lastStage: string | undefined
  return {
    report({ text: stage, done, total }: ToolProgress): void {
      const counted = total === undefined ? {} : { done, total }
      // Each stage is logged once as info, its further steps as debug.
      send(stage === lastStage ? 'debug' : 'info', { message: stage, tool, ...counted })
      lastStage = stage
    },
    step(step: ToolStep): void {
      if (step.step !== 'ended') return
      const { result } = step
      if (!result.ok) {
        const isBug = result.code === 'internal'
        send(isBug ? 'error' : 'warning', { message: 'The call failed.', tool, code: result.code })
      } else if (result.changeSet !== undefined) {
        send('info', { message: 'Changed the vault.', tool, notes: result.changeSet.changes.length })
      } else {
        send('debug', { message: 'Done.', tool })
      }
    },
  }
}

const minIntervalMs = 100

/** Sends progress notifications to a client that asked for them. The number grows across all stages of a call. */
export function progressReporter({ mcpReq }: ServerContext): (progress: ToolProgress) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  let sent = -1
  let before = 0
  let last: ToolProgress | undefined
  let sentAt = 0
  return (progress) => {
    const { text: message, done = 0, total } = progress
    // Each stage counts from 0.
    if (last !== undefined && last.text !== message) before += last.total ?? last.done ?? 0
    last = progress
    const now = before + done
    const isEnd = done === total
    if (now <= sent || (!isEnd && performance.now() - sentAt < minIntervalMs)) return
    sent = now
    sentAt = performance.now()
    const params = { progressToken, progress: now, message, ...(total !== undefined && { total: before + total }) }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(ignoreDisconnect)
  }
}

/** A notification that cannot be sent is dropped: the client has disconnected. */
const ignoreDisconnect = (): void => {}
