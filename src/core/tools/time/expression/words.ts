import type { Unit } from '../calendar.js'

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const numberNames = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Patterns for the inside of a regular expression; each is one group. */
export const month = `(${monthNames.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')}|sept\\.?)`
export const weekday = `(${weekdayNames.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')}|tues|weds|thurs?)`
export const unit = '(day|week|month|quarter|year)'
export const units = '(days?|weeks?|months?|quarters?|years?)'
export const count = `(\\d{1,4}|an?|${numberNames.join('|')})`
export const year = '((?:19|20|21)\\d{2})'

/** 1 for January. */
export const monthNumber = (name: string): number => numberOf(monthNames, name)
/** 1 for Monday. */
export const weekdayNumber = (name: string): number => numberOf(weekdayNames, name)
export const unitNamed = (name: string): Unit => name.replace(/s$/, '') as Unit

export function countOf(text: string): number {
  if (/^an?$/.test(text)) return 1
  const named = numberNames.indexOf(text)
  return named === -1 ? Number(text) : named + 1
}

function numberOf(names: string[], name: string): number {
  return names.findIndex((whole) => whole.startsWith(name.slice(0, 3))) + 1
}
