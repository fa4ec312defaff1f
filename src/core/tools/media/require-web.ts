import { Failure } from '../../errors.js'
import type { Reach } from '../tool.js'
import type { ToolContext, Web, WebResponse } from '../tool-context.js'

export function requireWeb({ web }: ToolContext): Web {
  if (web === undefined) throw new Failure('network', 'There is no way to the web from here.')
  return web
}

/** What a person should know before something is loaded from here. */
export function cautions({ web }: ToolContext): Pick<Reach, 'notices'> {
  return web?.caution === undefined ? {} : { notices: [{ kind: 'other', text: web.caution }] }
}

/** Passes on an answer that is one, and says what went wrong otherwise. */
export function requireOk(response: WebResponse, hints: Record<number, string> = {}): WebResponse {
  const { status } = response
  if (status >= 200 && status < 300) return response
  const { host } = new URL(response.url)
  const hint = hints[status] ?? usualHints[status]
  throw new Failure(
    status === 404 || status === 410 ? 'not-found' : 'network',
    `${host} answered with status ${status}.`,
    {
      ...(hint !== undefined && { hint }),
    },
  )
}

const usualHints: Record<number, string> = {
  404: 'There is no such page.',
  410: 'The page is gone.',
  429: 'Too many requests; try again later.',
}
