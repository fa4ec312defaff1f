import type { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { FailureCode } from '../../core/errors.js'
import { Failure, failureData } from '../../core/errors.js'
import type { RunningSessions } from '../../core/session/index.js'
import type { Mount, ServerEnv } from '../server/index.js'
import type { IndexJob } from './index-job.js'
import type { PageLogin } from './login.js'
import { mountAccessKeys, mountBrowsers } from './routes/access.js'
import { mountChanges } from './routes/changes.js'
import { mountChats } from './routes/chats.js'
import { mountEvents } from './routes/events.js'
import { mountNote } from './routes/note.js'
import { mountGraph, mountNotes, mountPictures } from './routes/notes.js'
import { mountServers } from './routes/servers.js'
import { mountApprovals, mountSessions } from './routes/sessions.js'
import { mountOverview, mountPermissions, mountSettings, mountVault } from './routes/settings.js'
import { timerWatch } from './timer-watch.js'
import type { WebSetup } from './web-setup.js'

/** The API of the page, for signed-in browsers alone. */
export function apiMount(setup: WebSetup, login: PageLogin, running: RunningSessions, indexing: IndexJob): Mount {
  return {
    path: '/api',
    checkLogin: login.admit,
    addRoutes(routes, context) {
      answerFailures(routes, context.log)
      login.mount(routes, context.url)
      mountBrowsers(routes, setup, login)
      mountAccessKeys(routes, setup)
      mountOverview(routes, setup, indexing)
      mountSessions(routes, setup, running)
      mountChats(routes, setup, running)
      mountPictures(routes, setup)
      mountEvents(routes, setup, { running, timers: timerWatch(setup), login }, context)
      mountApprovals(routes, setup)
      mountNotes(routes, setup)
      mountNote(routes, setup)
      mountGraph(routes, setup)
      mountChanges(routes, setup)
      mountSettings(routes, setup)
      mountPermissions(routes, setup)
      mountServers(routes, setup)
      mountVault(routes, setup, indexing)
    },
    async close() {
      setup.keys.close()
      await Promise.all([running.close(), setup.logins.close()])
    },
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
  'not-ready': 503,
  'too-large': 413,
  'not-utf8': 422,
  network: 502,
  internal: 500,
}

/** Failures for the page, without command hints. A bug becomes one generic sentence. */
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
