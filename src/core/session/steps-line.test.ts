import { expect, it } from 'vitest'
import { stepsLine } from './steps-line.js'

it.each([
  [['Search notes'], 'Searched notes'],
  [['Search notes', 'Read note', 'Read note'], 'Searched notes, read 2 notes'],
  [['Read note', 'Search by tag', 'Search by tag'], 'Read a note, searched by tag 2 times'],
  [['Current time', 'GitHub: list issues'], 'Used Current time, used GitHub: list issues'],
])('steps %j are told as %s', (titles, line) => expect(stepsLine(titles)).toBe(line))
