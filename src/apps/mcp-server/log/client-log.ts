import { LOG_LEVEL_META_KEY, type LoggingLevel, type Server, type ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'

/** From the least grave on, as the protocol orders them. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export const levelRequest = z.object({ level: z.enum(levels) })

/** What a client is told. Never the text of a note, and nothing that may hold a key. */
export interface Told {
  message: string
  [fact: string]: unknown
}

export type Say = (level: LoggingLevel, told: Told) => void

/** What one connection wants to hear: nothing before it has said so. */
export interface ClientLog {
  asked?: LoggingLevel
}

/** Tells a connection what belongs to none of its requests. Only the older revisions have such a thing. */
export function sayOn(server: Server, log: ClientLog): Say {
  return (level, told) => {
    if (isWanted(level, log.asked)) server.notification(message(level, told)).catch(() => undefined)
  }
}

/** Tells a client what becomes of its request, where the answer goes. In the newer revision each request names its level. */
export function sayTo({ mcpReq }: ServerContext, log: ClientLog): Say {
  const own = (mcpReq.envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL_META_KEY]
  return (level, told) => {
    const asked = (own as LoggingLevel | undefined) ?? log.asked
    if (isWanted(level, asked)) mcpReq.notify(message(level, told)).catch(() => undefined)
  }
}

const isWanted = (level: LoggingLevel, asked: LoggingLevel | undefined): boolean =>
  asked !== undefined && levels.indexOf(level) >= levels.indexOf(asked)

const message = (level: LoggingLevel, data: Told) => ({
  method: 'notifications/message' as const,
  params: { level, logger: 'notewright', data },
})
