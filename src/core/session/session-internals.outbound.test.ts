import { expect, it } from 'vitest'
import { memoryVault, notePath } from '../vault/index.js'
import { notesSent } from './session-internals.js'

const vault = memoryVault({
  files: {
    'Soil.md': '# Soil\nCompost feeds the soil "slowly".\n',
    'Tiny.md': 'Dig.\n',
    'Other.md': 'Poles for the beans, as every year.\n',
  },
})
const paths = ['Soil.md', 'Tiny.md', 'Other.md', 'Gone.md'].map((path) => notePath(path))
const sent = (text: string) => notesSent(JSON.stringify({ messages: [{ content: text }] }), paths, vault)

it('a note is in a request when its text is, not when it is only named', async () => {
  expect(await sent('Soil.md says: Compost feeds the soil "slowly". See Other.md.')).toEqual(['Soil.md'])
})

it('a note without a long line is found by the short ones', async () => {
  expect(await sent('[[Tiny]]: Dig.')).toEqual(['Tiny.md'])
})

it('a note that is gone counts by its name', async () => {
  expect(await sent('"path":"Gone.md" had words')).toEqual(['Gone.md'])
})
