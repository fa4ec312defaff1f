import { fact } from '../model/answers.js'
import { read, search } from '../model/steps.js'
import type { Task } from './task.js'

const calls = ['search_notes', 'read_note']

export const cite: readonly Task[] = [
  {
    name: 'cite-compost',
    kind: 'cite',
    vault: 'garden',
    ask: 'When do I turn the compost? Name the note.',
    steps: [search('turn compost heap'), read('Garden/Compost.md')],
    answer: fact(/Turn the heap (every second Saturday)/, '"Turn the heap $1."', 'Garden/Compost.md'),
    expects: { says: [/every second Saturday/], cites: 'Garden/Compost.md', calls },
  },
  {
    name: 'cite-blight',
    kind: 'cite',
    vault: 'garden',
    ask: 'What do I do against blight, and where does it stand?',
    steps: [search('blight brown spots'), read('Garden/Tomatoes.md')],
    answer: fact(/spray with (horsetail broth)/, 'Spray with $1.', 'Garden/Tomatoes.md#Blight'),
    expects: { says: [/horsetail/], cites: 'Garden/Tomatoes.md', calls },
  },
  {
    name: 'cite-honey',
    kind: 'cite',
    vault: 'garden',
    ask: 'How much honey was there last year? Say from which note.',
    steps: [search('honey last year'), read('Garden/Bees.md')],
    answer: fact(/(23 kg)/, 'It was $1.', 'Garden/Bees.md#Honey'),
    expects: { says: [/23 kg/], cites: 'Garden/Bees.md', calls },
  },
  {
    name: 'cite-boiler',
    kind: 'cite',
    vault: 'garden',
    ask: 'Which pressure does the boiler want? With the source, please.',
    steps: [search('boiler pressure bar')],
    answer: fact(/1\.5 bar/, 'It wants $0.', 'House/Heating.md'),
    expects: { says: [/1\.5 bar/], cites: 'House/Heating.md', calls },
  },
  {
    name: 'cite-returns',
    kind: 'cite',
    vault: 'office',
    ask: 'In which meeting were free returns decided, and for how long?',
    steps: [
      search('decision returns free thirty days', /thirty days/, 'returns are free'),
      read('Meetings/Meeting 7.md', /thirty/),
    ],
    answer: fact(/free for (thirty days)/, 'For $1.', 'Meetings/Meeting 7.md#Decided'),
    expects: { says: [/thirty days/], cites: 'Meetings/Meeting 7.md', calls },
  },
  {
    name: 'cite-travel',
    kind: 'cite',
    vault: 'office',
    ask: 'How far ahead is travel booked, according to the Handbook?',
    steps: [search('travel booked days ahead', /ten days/), read('Handbook.md', /ten days ahead/)],
    answer: fact(/at least (ten days) ahead/, 'At least $1 ahead.', 'Handbook.md'),
    expects: { says: [/ten days/], cites: 'Handbook.md', calls },
  },
  {
    name: 'cite-go-live',
    kind: 'cite',
    vault: 'office',
    ask: 'When does the web shop go live? Which note says so?',
    steps: [search('web shop go live date'), read('Projects/Web Shop.md', /2 October/)],
    answer: fact(/Go live on (2 October)/, 'On $1.', 'Projects/Web Shop.md#Dates'),
    expects: { says: [/2 October/], cites: 'Projects/Web Shop.md', calls },
  },
]
