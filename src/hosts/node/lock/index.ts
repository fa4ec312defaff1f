export { describeLock } from './describe-lock.js'
export { holderIn, isAlive, isElsewhere, type LockHolder, thisHolder } from './lock-holder.js'
export { type LockOptions, withLock } from './with-lock.js'
