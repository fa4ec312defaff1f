import type { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Failure, type FailureCode } from '../../core/errors.js'
import type { Door, ServerEnv } from '../server/index.js'
import type { Entrance } from './entrance.js'
import { mountApprovals } from './routes/approvals.js'
import { mountChanges } from './routes/changes.js'
import { mountEvents } from './routes/events.js'
import { mountNotes } from './routes/notes.js'
import { mountOverview } from './routes/overview.js'
import { mountSessions } from './routes/sessions.js'
import type { SessionsAtWork } from './sessions-at-work.js'
import type { WebSetup } from './web-setup.js'

const enterPath = '/api/enter'

/** What the page asks. Besides whoever has the token, a browser with our cookie is let in, or one that brings a code. */
export function apiDoor(setup: WebSetup, entry: Entrance, atWork: SessionsAtWork): Door {
  return {
    path: '/api',
    admits: (request) => (request.method === 'POST' && request.path === enterPath) || entry.isKnown(request),
    mount(routes, context) {
      entry.setPort(new URL(context.url).port)
      answerFailures(routes, context.log)
      routes.post('/enter', (c) => {
        const cookie = entry.enter((c.get('body') as { code?: unknown } | undefined)?.code)
        if (cookie === undefined)
          return c.json(
            {
              ok: false,
              code: 'denied',
              text: 'This link has been used or has expired.',
              hint: 'Get a new one: notewright web',
            },
            403,
          )
        return c.json({ ok: true }, 200, { 'Set-Cookie': cookie })
      })
      mountOverview(routes, setup)
      mountSessions(routes, setup, atWork)
      mountEvents(routes, setup, atWork, context)
      mountApprovals(routes, setup)
      mountNotes(routes, setup)
      mountChanges(routes, setup)
    },
    close: () => atWork.close(),
  }
}

const statuses: Record<FailureCode, ContentfulStatusCode> = {
  'not-found': 404,
  ambiguous: 409,
  'invalid-input': 400,
  'unknown-tool': 404,
  path: 400,
  conflict: 409,
  denied: 403,
  'needs-approval': 403,
  timeout: 504,
  'too-large': 413,
  'not-utf8': 422,
  network: 502,
  internal: 500,
}

/** Failures as the page draws them. A bug is told in one harmless sentence. */
function answerFailures(routes: Hono<ServerEnv>, log: (line: string) => void): void {
  routes.onError((error, c) => {
    if (error instanceof Failure) {
      const { code, message, details } = error
      return c.json({ ok: false, code, text: message, ...details }, statuses[code])
    }
    log(`failed unexpectedly: ${error.stack ?? error.message}`)
    return c.json({ ok: false, code: 'internal', text: 'The server failed unexpectedly.' }, 500)
  })
}
