const months =
  'jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
/** Months that are also verbs. */
const verbs = 'mar(?:ch)?|may'
const weekdays = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const units = 'days?|weeks?|weekend|months?|years?|quarter'
const isoDay = String.raw`\d{4}-\d\d(?:-\d\d)?`
const day = `(?:${isoDay}|(?:${months}|${verbs})(?: \\d{1,2})?(?:,? \\d{4})?|last (?:week|month|year|${weekdays})|yesterday|today|now|${weekdays})`

const expressions = [
  `(?:from|between) ${day} (?:to|until|till|and|through) ${day}`,
  `since ${day}`,
  `(?:last|past|previous|this) (?:(?:\\d{1,3}|two|three|four|five|six|seven|ten) )?(?:${units}|${weekdays}|${months})`,
  `(?:last|previous) (?:${verbs})`,
  '(?:\\d{1,3}|a|two|three|four|five|six) (?:day|week|month|year)s? ago',
  'the day before yesterday|yesterday|today',
  `week of ${day}`,
  String.raw`\d{4}-w\d\d|q[1-4](?: \d{4})?`,
  isoDay,
  `(?:${months})(?: \\d{1,2}(?!\\d))?(?:,? \\d{4})?`,
  `(?:${verbs})(?: \\d{1,2})?,? \\d{4}`,
]
const pattern = new RegExp(
  `(?<before>^|[^\\p{L}\\p{N}])(?:(?<time>${expressions.join('|')})|(?<month>(?:${verbs})(?: \\d{1,2}(?!\\d))?)|(?<year>(?:19|20)\\d\\d))(?![\\p{L}\\p{N}])`,
  'giu',
)
// "may" and "march" are months, and a number a year, only where the word before says so.
const beforeMonth = /(?:^|\s)(?:in|of|during|from|on|by|until) $/i
const beforeYear = /(?:in|of|from|during) $/i

/** The first words of a text that name a time: "last week", "March 2025", "since Monday". */
export function findTimeExpression(text: string): string | undefined {
  const line = text.slice(0, 1000).replace(/\s/g, ' ')
  for (const { index, groups } of line.matchAll(pattern)) {
    const { before, time, month, year } = groups!
    if (time !== undefined) return time
    const at = index + before.length
    const words = line.slice(Math.max(0, at - 'during '.length), at)
    if ((month === undefined ? beforeYear : beforeMonth).test(words)) return month ?? year
  }
  return undefined
}
