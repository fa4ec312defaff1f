/** Beginnings of the names of the months, folded, in the languages that have spaces; the first four letters tell most apart. */
const months: readonly string[] = [
  'jan january januar janvier enero gennaio janeiro januari stycznia styczen января январь ocak',
  'feb february februar fevrier febrero febbraio fevereiro februari lutego luty февраля февраль subat',
  'mar march marz mars marzo marco maart marca marzec марта март mart',
  'apr april avril abril aprile kwietnia kwiecien апреля апрель nisan',
  'may mai mayo maggio maio mei maja maj мая май mayis',
  'jun june juni juin junio giugno junho czerwca czerwiec июня июнь haziran',
  'jul july juli juillet julio luglio julho lipca lipiec июля июль temmuz',
  'aug august aout agosto augustus sierpnia sierpien augusti августа август agustos',
  'sep sept september septembre septiembre settembre setembro wrzesnia wrzesien сентября сентябрь eylul',
  'oct okt october oktober octobre octubre ottobre outubro pazdziernika pazdziernik октября октябрь ekim',
  'nov november novembre noviembre novembro listopada listopad ноября ноябрь kasim',
  'dec dez december dezember decembre diciembre dicembre dezembro grudnia grudzien декабря декабрь aralik',
]

const monthOf = new Map(months.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)))
const weekNames = new Set([
  'week',
  'woche',
  'semaine',
  'semana',
  'settimana',
  'vecka',
  'uge',
  'uke',
  'tydzien',
  'неделя',
  'hafta',
])

/**
 * A date that a question says in words as the rows of words that notes have in their names: `2026 01 09` of a day,
 * `2026 01` of a month, `w52` of a week. Empty unless the question names a year.
 */
export function dateRows(words: readonly string[]): string[][] {
  const year = words.find((word) => /^(?:19|20)\d\d$/.test(word))
  if (year === undefined) return []
  const at = words.findIndex((word) => monthOf.has(word))
  if (at >= 0) {
    const month = twoDigits(monthOf.get(words[at]) as number)
    const day = [words[at - 1], words[at + 1]].map(dayOf).find((found) => found !== undefined)
    return [[year, month, ...(day === undefined ? [] : [twoDigits(day)])]]
  }
  const week = words.findIndex((word) => weekNames.has(word))
  const number = week < 0 ? Number.NaN : Number(words[week + 1])
  return number >= 1 && number <= 53 ? [[year, `w${twoDigits(number)}`]] : []
}

function dayOf(word: string | undefined): number | undefined {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '')?.[1]
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? Number(day) : undefined
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
