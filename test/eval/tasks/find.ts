import { fact } from '../model/answers.js'
import { read, search } from '../model/steps.js'
import type { Task } from './task.js'

const calls = ['search_notes', 'read_note']

export const find: readonly Task[] = [
  {
    name: 'find-roofer',
    kind: 'find',
    vault: 'garden',
    ask: 'What is the telephone number of the roofer?',
    steps: [search('roofer telephone')],
    answer: fact(/0151 445 566/, 'It is $0.', 'House/Roof.md'),
    expects: { says: [/0151 445 566/], calls },
  },
  {
    name: 'find-lent',
    kind: 'find',
    vault: 'garden',
    ask: 'To whom did I lend the wheelbarrow?',
    steps: [search('wheelbarrow lent')],
    answer: fact(/wheelbarrow was lent to (\w+)/, 'To $1.', 'Garden/Tools.md'),
    expects: { says: [/Ingrid/], calls },
  },
  {
    name: 'find-table',
    kind: 'find',
    vault: 'garden',
    ask: 'How many packets of carrot seed do I have?',
    steps: [search('carrot seed packets'), read('Garden/Seeds.md')],
    answer: fact(/carrot \| (\d+)/, 'You have $1 packets.', 'Garden/Seeds.md'),
    expects: { says: [/\b3\b/], calls },
  },
  {
    name: 'find-decision',
    kind: 'find',
    vault: 'office',
    ask: 'From when on is the warehouse in Lille rented?',
    steps: [search('warehouse Lille rented', /Lille/, 'Decision warehouse Lille')],
    answer: fact(/Lille is rented from (1 September)/, 'From $1.', 'Meetings/Meeting 3.md'),
    expects: { says: [/1 September/], calls },
  },
  {
    name: 'find-carrier',
    kind: 'find',
    vault: 'office',
    ask: 'When does the carrier collect the parcels?',
    steps: [search('carrier collects daily'), read('Suppliers/Norddeutsche Fracht.md')],
    answer: fact(/daily at (16:30)/, 'Every day at $1.', 'Suppliers/Norddeutsche Fracht.md'),
    expects: { says: [/16:30/], calls },
  },
  {
    name: 'find-deep',
    kind: 'find',
    vault: 'office',
    ask: 'Read the Handbook and tell me who keeps the alarm code of the side door.',
    steps: [search('alarm code side door'), read('Handbook.md', /kept by (?:Mrs )?Varga/)],
    answer: fact(/kept by (Mrs Varga)/, '$1 keeps it.', 'Handbook.md'),
    expects: { says: [/Varga/], calls },
  },
]
