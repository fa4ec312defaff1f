import type { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Failure, type FailureCode, failureData } from '../../core/errors.js'
import type { SessionsAtWork } from '../../core/session/index.js'
import type { Door, RequestHead, ServerEnv } from '../server/index.js'
import type { Entrance } from './entrance.js'
import type { IndexAtWork } from './index-at-work.js'
import { mountApprovals } from './routes/approvals.js'
import { mountChanges } from './routes/changes.js'
import { mountEvents } from './routes/events.js'
import { mountGraph } from './routes/graph.js'
import { mountNotes } from './routes/notes.js'
import { mountOverview } from './routes/overview.js'
import { mountPermissions } from './routes/permissions.js'
import { mountPictures } from './routes/pictures.js'
import { mountServers } from './routes/servers.js'
import { mountSessions } from './routes/sessions.js'
import { mountSettings } from './routes/settings.js'
import { mountVault } from './routes/vault.js'
import { timerWatch } from './timer-watch.js'
import type { WebSetup } from './web-setup.js'

const enterPath = '/api/enter'

/** What the page asks. Besides whoever has the token, a browser with our cookie is let in, or one that brings a code. */
export function apiDoor(setup: WebSetup, entry: Entrance, atWork: SessionsAtWork, indexing: IndexAtWork): Door {
  return {
    path: '/api',
    admits: (request) => mayEnter(request, entry),
    mount(routes, context) {
      entry.setPort(new URL(context.url).port)
      answerFailures(routes, context.log)
      mountEntrance(routes, entry)
      mountOverview(routes, setup, indexing)
      mountSessions(routes, setup, atWork)
      mountPictures(routes, setup)
      mountEvents(routes, setup, { atWork, timers: timerWatch(setup) }, context)
      mountApprovals(routes, setup)
      mountNotes(routes, setup)
      mountGraph(routes, setup)
      mountChanges(routes, setup)
      mountSettings(routes, setup)
      mountPermissions(routes, setup)
      mountServers(routes, setup)
      mountVault(routes, setup, indexing)
    },
    close: () => atWork.close(),
  }
}

/** Whoever has been let in, and whoever brings a code to be. */
export function mayEnter(request: RequestHead, entry: Entrance): boolean {
  return (request.method === 'POST' && request.path === enterPath) || entry.isKnown(request)
}

export function mountEntrance(routes: Hono<ServerEnv>, entry: Entrance): void {
  routes.post('/enter', (c) => {
    const cookie = entry.enter((c.get('body') as { code?: unknown } | undefined)?.code)
    if (cookie !== undefined) return c.json({ ok: true }, 200, { 'Set-Cookie': cookie })
    const text = 'This link has been used or has expired.'
    return c.json({ ok: false, code: 'denied', text, hint: 'Get a new one: notewright web' }, 403)
  })
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

/** Failures as the page draws them: it is no place to type commands. A bug is told in one harmless sentence. */
export function answerFailures(routes: Hono<ServerEnv>, log: (line: string) => void): void {
  routes.onError((error, c) => {
    if (error instanceof Failure) {
      const { command: _, ...failure } = failureData(error)
      return c.json({ ok: false, ...failure }, statuses[error.code])
    }
    log(`failed unexpectedly: ${error.stack ?? error.message}`)
    return c.json({ ok: false, code: 'internal', text: 'The server failed unexpectedly.' }, 500)
  })
}
