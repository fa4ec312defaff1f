import { describe, expect, it } from 'vitest'
import { plainLine, plainPassage } from './plain-text.js'

describe('a line of Markdown as plain text', () => {
  it.each([
    ['## Late **blight** ', 'Late blight'],
    ['- [x] Ask [[Mara|her]] about `seed` ^todo', 'Ask her about seed'],
    ['> [!tip] See [the map](Garden%20Map.md) and ![[bed.png]]', 'See the map and bed.png'],
    ['a * b = c_d_e, *so* _it_ is[^1]', 'a * b = c_d_e, so it is'],
    ['| Bed | Crop |', 'Bed · Crop'],
    ['| --- | :-: |', ''],
    ['See [[Compost#^hot]] and [[Map#Beds]] in [[#Below]]', 'See Compost and Map › Beds in Below'],
    ['1. Sow %% not yet %% <br>now', 'Sow now'],
    ['x < 3 and y > 2', 'x < 3 and y > 2'],
  ])('%s', (line, plain) => expect(plainLine(line)).toBe(plain))
})

describe('a passage as plain text', () => {
  it('is one line without the heading that is shown beside it', () => {
    expect(plainPassage('## Water\n\nEach day.\n- in the morning\n- early\n', 'Water')).toBe(
      'Each day. · in the morning · early',
    )
  })
})
