import { Failure } from '../../../core/errors.js'
import type { LockFile } from './lock-file.js'
import { isElsewhere } from './lock-holder.js'

/** Why a lock cannot be had, and what the person can do about it. */
export function lockFailure(subject: string, path: string, found: LockFile | undefined): Failure {
  const data = { lockFile: path }
  if (found?.kind === 'strange') {
    return new Failure('conflict', `${subject} cannot be locked: ${path} is ${found.what}. Nothing was written.`, {
      hint: `Notewright did not make it. If nothing else needs it, take it away: ${removal(path, found.what)}`,
      data,
    })
  }
  if (found?.kind === 'held' && isElsewhere(found.holder)) {
    const { pid, host } = found.holder
    return new Failure('timeout', `${subject} is locked by process ${pid} on another machine, ${host}.`, {
      hint: `Nothing was written. If Notewright does not run there any more, take the lock away: ${removal(path)}`,
      data,
    })
  }
  const who = found?.kind === 'held' ? `process ${found.holder.pid}` : 'another process'
  return new Failure('timeout', `${subject} is in use by ${who}. Nothing was written.`, {
    hint: `Try again in a moment. If no such process exists, take the lock away: ${removal(path)}`,
    data,
  })
}

function removal(path: string, what = ''): string {
  return `rm ${what === 'a folder' ? '-r ' : ''}'${path.replaceAll("'", "'\\''")}'`
}
