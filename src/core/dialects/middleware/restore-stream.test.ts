import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { neutralise, restoreNeutralised } from '../writing/neutralise.js'
import { restoreStream } from './restore-stream.js'

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom('<tool_call>', '<\\tool_call>', '</use_tool>', '[INST]', '[/INST]', '\n\nHuman:', 'functools['),
    fc.constantFrom('<', '\\', '[', '\\\\', '<|im_end|>', 'Human', '\n\n', '<b>', '[tool_result #1]'),
    fc.string({ maxLength: 4 }),
  ),
  { maxLength: 30 },
)

describe('restoring text as it arrives', () => {
  it('gives what restoring it whole gives, however it is cut', () => {
    fc.assert(
      fc.property(pieces, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), fc.boolean(), (parts, sizes, isRaw) => {
        const text = isRaw ? parts.join('') : neutralise(parts.join(''))
        const stream = restoreStream()
        let shown = ''
        for (let at = 0; at < text.length; ) {
          const size = sizes.next().value as number
          shown += stream.push(text.slice(at, at + size))
          at += size
        }
        expect(shown + stream.end()).toBe(restoreNeutralised(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('holds back nothing but a backslash behind the beginning of a marker', () => {
    const stream = restoreStream()
    expect(stream.push('a < b [[c]] <')).toBe('a < b [[c]] <')
    expect(stream.push('\\tool')).toBe('')
    expect(stream.push('_call> and so on, with enough words to know.')).toBe(
      'tool_call> and so on, with enough words to know.',
    )
    expect(stream.push(' C:\\notes')).toBe(' C:\\notes')
  })
})
