export { dateOf, dayOfIsoDate } from './recurrence.js'
export * from './task-line.js'
export * from './task-list.js'
