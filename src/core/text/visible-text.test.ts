import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { originalText, visibleBlanks, visibleText } from './visible-text.js'

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

describe('visibleText', () => {
  it.each([
    ['tag characters', `a${tags('call')}b`, 'a⟦U+E0063 U+E0061 U+E006C×2⟧b', 4],
    ['zero-width characters', 'a\u200b\u200b\u200bb\u2060c\u200dd', 'a⟦U+200B×3⟧b⟦U+2060⟧c⟦U+200D⟧d', 5],
    ['joiners between Latin letters', 'p\u200cass\u200dword', 'p⟦U+200C⟧ass⟦U+200D⟧word', 2],
    ['variation selectors as data', 'x\ufe00\ufe01\ufe0f', 'x⟦U+FE00 U+FE01 U+FE0F⟧', 3],
    ['more of them than an emoji has', '😀\ufe0f\u{e0101}\u{e0102}', '😀⟦U+FE0F U+E0101 U+E0102⟧', 3],
    ['what turns text around', 'a\u202eb\u2066c\u200f', 'a⟦U+202E⟧b⟦U+2066⟧c⟦U+200F⟧', 3],
    ['blanks that are letters or signs', 'a\u2800b\u3164c\u115fd\uffa0', 'a⟦U+2800⟧b⟦U+3164⟧c⟦U+115F⟧d⟦U+FFA0⟧', 4],
    ['invisible operators', 'a\u2063\u2062b', 'a⟦U+2063 U+2062⟧b', 2],
    ['soft hyphens', 'pass\u00adword', 'pass⟦U+00AD⟧word', 1],
    ['runs of blanks of print', 'a\u00a0\u00a0b \u2003c', 'a⟦U+00A0×2⟧b ⟦U+2003⟧c', 3],
    ['control characters', 'a\x1b[2Jb\x07\rc\u0085', 'a⟦U+001B⟧[2Jb⟦U+0007 U+000D⟧c⟦U+0085⟧', 4],
    ['line ends of other kinds', 'a\u2028b\u2029', 'a⟦U+2028⟧b⟦U+2029⟧', 2],
    ['a byte order mark inside', 'a\ufeffb', 'a⟦U+FEFF⟧b', 1],
    ['half a character', 'a\ud83db', 'a⟦U+D83D⟧b', 1],
  ])('shows and counts %s', (_name, text, shown, hidden) => {
    expect(visibleText(text)).toEqual({ text: shown, hidden })
  })

  it.each([
    ['families and professions', '👩‍👩‍👧‍👦 👩🏽‍🌾 🏳️‍🌈 ❤️‍🔥 ☺️ ✈︎'],
    ['keycaps and flags', '1️⃣ #️⃣ 🇩🇪 \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian', 'می‌خواهم کتاب‌ها را بخوانم'],
    ['Urdu and Arabic', 'حديقة اردو کے‌لیے'],
    ['Hindi', 'क्‍ष और क्‌ष'],
    ['Malayalam', 'അവന്‍റെ'],
    ['Sinhala', 'ශ්‍රී ලංකා'],
    ['Bengali', 'র‍্যাব'],
    ['Khmer and Thai', 'ភាសាខ្មែរ ภาษาไทย'],
    ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ᠋'],
    ['Chinese with its indent and a variant', '\u3000\u3000你好，葛\u{e0100}城\u3000市'],
    ['Japanese', '東京\u3000タワー'],
    ['Korean, in parts', '한국어'.normalize('NFD')],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Vietnamese in parts', 'Tiếng Việt'.normalize('NFD')],
    ['French', 'Voilà\u00a0: «\u202foui\u202f»'],
    ['lines and tabs', 'a\tb\nc\r\nd'],
    ['a byte order mark at the start', '\ufeff---\ntitle: x\n---\n'],
    ['brackets', '⟦a⟧ and U+200B'],
  ])('leaves %s unchanged', (_name, text) => {
    expect(visibleText(text)).toEqual({ text, hidden: 0 })
  })

  it('distinguishes a mark in the text from its own', () => {
    expect(visibleText('see ⟦U+200B⟧')).toEqual({ text: 'see ⟦U+27E6⟧U+200B⟧', hidden: 0 })
    expect(visibleText('see \u200b').text).toBe('see ⟦U+200B⟧')
  })

  const odd = fc.oneof(
    fc.constantFrom(
      ...'a ⟦U+×⟧1',
      '\u200b',
      '\u200d',
      '\ufe0f',
      '\u2800',
      '\u00a0',
      '\u3000',
      '😀',
      '中',
      'ر',
      '\ufeff',
    ),
    fc.constantFrom(tags('a'), '\u2063', '\u00ad', '\u202e', '\x1b', '\r', '\n', '\u{e0100}', 'क', '\u094d'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  )

  it('can be reversed for any text', () => {
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        expect(originalText(visibleText(text).text)).toBe(text)
      }),
      { numRuns: 3000 },
    )
  })

  it('leaves a single invisible character only in a legitimate place', () => {
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 30 }), (parts) => {
        const { text } = visibleText(parts.join(''))
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\u2800\u3164\u115f\u00ad\0-\x08]/)
        // After a flag there may be several, and elsewhere at most one.
        expect(text.replace(/\u{1f3f4}[\u{e0000}-\u{e007f}]+/gu, '')).not.toMatch(
          /^(?!\ufeff).*\p{Default_Ignorable_Code_Point}{2}/u,
        )
      }),
      { numRuns: 3000 },
    )
  })
})

it.each([
  ['two words', 'two words'],
  ['a  b', 'a··b'],
  [`a${' '.repeat(300)}b`, 'a⟦300 blanks⟧b'],
  ['a\tb', 'a→b'],
  ['a\n\n\n\n\nb', 'a\n⟦4 empty lines⟧\nb'],
])('shows the blanks in %j', (text, drawn) => expect(visibleBlanks(text)).toBe(drawn))
