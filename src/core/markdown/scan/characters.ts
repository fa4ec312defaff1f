/** UTF-16 codes with a meaning in Markdown. */
export const TAB = 9
export const LINE_FEED = 10
export const CARRIAGE_RETURN = 13
export const SPACE = 32
export const EXCLAMATION = 33
export const QUOTE = 34
export const HASH = 35
export const DOLLAR = 36
export const PERCENT = 37
export const APOSTROPHE = 39
export const OPEN_PAREN = 40
export const CLOSE_PAREN = 41
export const ASTERISK = 42
export const PLUS = 43
export const HYPHEN = 45
export const DOT = 46
export const SLASH = 47
export const COLON = 58
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const OPEN_BRACKET = 91
export const BACKSLASH = 92
export const CLOSE_BRACKET = 93
export const CARET = 94
export const UNDERSCORE = 95
export const BACKTICK = 96
export const PIPE = 124
export const TILDE = 126

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isAsciiLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

export function isWhitespace(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13)
}

export function isAsciiPunctuation(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  )
}

/** General, supplemental, CJK and full-width punctuation: ends a tag, and may precede one. */
export function isWidePunctuation(code: number): boolean {
  return (
    (code >= 0x2000 && code <= 0x206f) ||
    (code >= 0x2e00 && code <= 0x2e7f) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff0f) ||
    (code >= 0xff1a && code <= 0xff20) ||
    (code >= 0xff3b && code <= 0xff40) ||
    (code >= 0xff5b && code <= 0xff65) ||
    code === 0xa0
  )
}
