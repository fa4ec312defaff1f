import { changes } from './change.js'
import { cite } from './cite.js'
import { find } from './find.js'
import { refuse } from './refuse.js'
import { steps } from './steps.js'
import type { Task } from './task.js'

export type { Task } from './task.js'

export const tasks: readonly Task[] = [...find, ...cite, ...changes, ...steps, ...refuse]
