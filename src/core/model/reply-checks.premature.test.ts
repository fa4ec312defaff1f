import { describe, expect, it } from 'vitest'
import { profileFor } from './profile-for.js'
import { detectPrematureResponse, sanitizeResponse, shouldTruncateStreaming } from './reply-checks.js'

interface ReplyPart {
  type: string
  text?: string
}

const text = (words: string): ReplyPart => ({ type: 'text', text: words })
const thought = (words: string): ReplyPart => ({ type: 'reasoning', text: words })
const call: ReplyPart = { type: 'tool-call' }
const long = 'x'.repeat(101)

describe('an answer before its results', () => {
  it.each<[string, ReplyPart[], 'before' | 'after' | null]>([
    ['no call at all', [text('word '.repeat(500))], null],
    ['a short sentence and a call', [text('I will look.'), call], null],
    ['two sentences', [text('I will look. Then I tell you.'), call], null],
    ['three sentences', [text('One. Two. Three.'), call], 'before'],
    ['200 characters', [text('x'.repeat(200)), call], null],
    ['201 characters', [text('x'.repeat(201)), call], 'before'],
    ['long thoughts', [thought('Hm. So. Well. '.repeat(50)), call, thought(long)], null],
    ['100 characters after', [call, text('x'.repeat(100))], null],
    ['101 characters after', [call, text(long)], 'after'],
    ['words between two calls', [call, text(long), call], null],
    ['sentences in Chinese', [text('我来看看。然后告诉你。好。'), call], 'before'],
  ])('%s', (_name, reply, type) => {
    expect(detectPrematureResponse(reply)).toEqual({ hasPremature: type !== null, type })
  })

  it('is removed on the first step of a family known for it, except reasoning', () => {
    const reply = [text('Looking.'), call, text(long), thought('why?'), text('more')]
    const sonnet = profileFor('claude-sonnet-4-20250514')
    expect(sanitizeResponse(sonnet, reply, 0)).toEqual([text('Looking.'), call, thought('why?')])
    expect(sanitizeResponse(sonnet, reply, 1)).toEqual(reply)
    expect(sanitizeResponse(profileFor('gpt-4o'), reply, 0)).toEqual(reply)
    const short = [call, text('One moment.')]
    expect(sanitizeResponse(sonnet, short, 0)).toEqual(short)
  })

  it('is noticed while it is still being written', () => {
    const sonnet = profileFor('claude-sonnet-4-20250514')
    expect(shouldTruncateStreaming(sonnet, [call, text('x'.repeat(100))], 0)).toBe(false)
    expect(shouldTruncateStreaming(sonnet, [call, text(long)], 0)).toBe(true)
    expect(shouldTruncateStreaming(sonnet, [text(long)], 0)).toBe(false)
  })
})
