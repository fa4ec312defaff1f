/**
 * Words of requests that need a tool most requests do not: in English, German, French, Spanish, Italian, Portuguese,
 * Chinese and Japanese. `*` stands for any ending. Too many words cost a few tokens; a missing one costs an ability.
 */
const topics = {
  clock: [
    ...['time', 'clock', 'now', 'hour*', 'minute*', 'date', 'today', 'tonight', 'pm'],
    ...['uhr*', 'zeit', 'jetzt', 'stunde*', 'datum', 'heute'],
    ...['heure*', 'maintenant', 'date', "aujourd'hui", 'aujourd’hui'],
    ...['hora', 'horas', 'ahora', 'fecha', 'hoy', 'ora', 'ore', 'adesso', 'oggi', 'agora', 'hoje', 'data'],
    ...['时间', '現在', '现在', '几点', '今天', '時間', '何時', '今日', '日付'],
  ],
  zone: [
    ...['timezone*', 'time zone*', 'utc', 'gmt', 'convert*', 'time in', 'pm', 'est', 'pst', 'cet'],
    ...[
      'zeitzone*',
      'uhr',
      'fuseau*',
      'décalage',
      'huso*',
      'zona horaria',
      'fuso*',
      '时区',
      '时差',
      '時差',
      'タイムゾーン',
    ],
  ],
  period: [
    ...['week*', 'month*', 'quarter*', 'year*', 'day', 'days', 'yesterday', 'ago', 'since', 'recent*', 'last', 'past'],
    ...['until', 'between', 'weekend*', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
    ...[
      'january',
      'february',
      'march',
      'april',
      'june',
      'july',
      'august',
      'september',
      'october',
      'november',
      'december',
    ],
    ...[
      'woche*',
      'monat*',
      'quartal*',
      'jahr*',
      'tag',
      'tage*',
      'gestern',
      'vorgestern',
      'seit',
      'letzte*',
      'kürzlich',
    ],
    ...['semaine*', 'mois', 'trimestre*', 'année*', 'jours', 'hier', 'depuis', 'dernier*', 'dernière*', 'récent*'],
    ...['semana*', 'mes', 'meses', 'año*', 'días', 'ayer', 'desde', 'último*', 'última*', 'pasad*', 'reciente*'],
    ...['settiman*', 'mese', 'mesi', 'anno', 'anni', 'giorni', 'ieri', 'scors*', 'ultim*', 'recent*'],
    ...['mês', 'ano', 'anos', 'dias', 'ontem', 'passad*'],
    ...['周', '星期', '月', '年', '昨天', '最近', '以来', '週', '日間', '昨日', '先週', '以降'],
  ],
  index: ['index*', 'indice*', 'índice*', 'reindex*', '索引', 'インデックス'],
  timer: [
    'pomodoro*',
    'timer*',
    'focus*',
    'countdown',
    'minuteur',
    'temporizador',
    'fokus*',
    '番茄',
    '计时',
    'タイマー',
    'ポモドーロ',
  ],
  random: [
    ...['random*', 'surprise*', 'any note', 'inspire*', 'zufall*', 'zufällig*', 'überrasch*', 'hasard', 'aléatoire*'],
    ...[
      'surprends*',
      'azar',
      'aleatori*',
      'sorprénde*',
      'sorpréndeme',
      'caso',
      'casuale',
      'sorprendi*',
      'acaso',
      'surpreend*',
    ],
    ...['随机', '随便', 'ランダム', '適当'],
  ],
} satisfies Record<string, readonly string[]>

export type RequestTopic = keyof typeof topics

/** True if a request has a word of the topic. */
export function isAbout(topic: RequestTopic, request: string): boolean {
  const words = ` ${(folded(request).match(/[\p{L}\p{N}'’]+/gu) ?? []).join(' ')} `
  return topics[topic].some((word) => {
    const wanted = folded(word)
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(wanted)) return words.includes(wanted)
    return words.includes(wanted.endsWith('*') ? ` ${wanted.slice(0, -1)}` : ` ${wanted} `)
  })
}

/** Accents are often left out. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Script=Inherited}/gu, '')
    .normalize('NFC')
