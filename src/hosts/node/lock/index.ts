export { describeLock } from './describe-lock.js'
export { type LockOptions, withLock } from './with-lock.js'
