import { describe, expect, it } from 'vitest'
import type { LanguageModelV3CallOptions } from '../../model/index.js'
import { builtInTools } from '../../tools/index.js'
import { decide } from '../decide.js'
import { commandLineGuidance } from '../guidance.js'
import { phrases } from '../phrases.js'
import { englishTime, languageOf, languages } from './languages.js'

const tools: LanguageModelV3CallOptions['tools'] = builtInTools.map(({ name }) => ({
  type: 'function',
  name,
  inputSchema: {},
}))

const firstCall = (text: string) => {
  const decision = decide(
    { prompt: [{ role: 'user', content: [{ type: 'text', text }] }], tools },
    commandLineGuidance([]),
  )
  return 'text' in decision ? decision.text : [decision.calls[0].name, decision.calls[0].input]
}

const tasks = ['list_tasks', { limit: 50 }]
const today = ['list_tasks', { due: 'today', limit: 50 }]
const lastWeek = ['get_time_range', { expression: 'last week' }]
const recent = ['get_time_range', { expression: 'last 7 days' }]
const backlinks = ['list_backlinks', { path: 'Slugs' }]
const tagged = ['search_by_tag', { tags: ['wet'] }]
const countTagged = ['search_by_tag', { tags: ['wet'], limit: 200 }]
const countAll = ['get_file_tree', { depth: 0 }]
const countInGarden = ['get_file_tree', { folder: 'Garden', depth: 0 }]
const mentions = (query: string) => ['vault_search', { query, limit: 50 }]
const read = ['read_note', { path: 'Slugs' }]
const rename = ['get_note_metadata', { path: 'Slugs' }]
const create = ['get_note_metadata', { path: 'Slugs.md' }]
const append = (content: string) => ['append_note', { path: 'Slugs', content: `${content}\n` }]
const daily = (content: string) => ['create_daily_note', { content: `${content}\n` }]
const tag = ['update_frontmatter', { path: 'Slugs', add: { tags: ['wet'] } }]
const remove = ['delete_note', { path: 'Slugs' }]
const tick = (text: string) => ['list_tasks', { text, limit: 20 }]
const undo = ['undo_changes', {}]
const search = (query: string) => ['search_notes', { query, top_k: 10 }]

describe.each<[string, [string, unknown][]]>([
  [
    'de',
    [
      ['suche nach Brot', search('Brot')],
      ['öffne die Notiz Slugs', read],
      ['offne Slugs', read],
      ['Benenne Slugs in Snails um', rename],
      ['verschiebe Slugs in den Ordner Archiv', ['rename_note', { path: 'Slugs', new_path: 'Archiv/' }]],
      ['erstelle eine Notiz namens Slugs mit Bier', create],
      ['füge Bierfalle zu Slugs hinzu', append('Bierfalle')],
      ['schreibe Ofen geputzt in die Tagesnotiz', daily('Ofen geputzt')],
      ['tagge Slugs mit wet', tag],
      ['lösche die Notiz Slugs', remove],
      ['Was verlinkt auf Slugs?', backlinks],
      ['offene Aufgaben', tasks],
      ['kannst du mir bitte meine offenen Aufgaben zeigen', expect.anything()],
      ['zeige mir meine offenen Aufgaben', tasks],
      ['was ist heute fällig?', today],
      ['hake Brot kaufen ab', tick('Brot kaufen')],
      ['wie viele Notizen habe ich?', countAll],
      ['wie viele Notizen sind im Ordner Garden', countInGarden],
      ['wie viele Notizen haben #wet?', countTagged],
      ['wie viele Notizen über Brot gibt es', expect.anything()],
      ['wie viele Notizen erwähnen Brot?', mentions('Brot')],
      ['Notizen mit #wet', tagged],
      ['Was habe ich letzte Woche geschrieben?', lastWeek],
      ['zuletzt geänderte Notizen', expect.anything()],
      ['neueste Notizen', expect.anything()],
      ['zeige die letzten Notizen', recent],
      ['mach das rückgängig', undo],
    ],
  ],
  [
    'fr',
    [
      ['cherche pain', search('pain')],
      ['ouvre la note Slugs', read],
      ['renomme Slugs en Snails', rename],
      ['crée une note appelée Slugs avec bière', create],
      ['cree une note intitulee Slugs', create],
      ['ajoute bière à la note Slugs', append('bière')],
      ['ajoute four nettoyé à la note du jour', daily('four nettoyé')],
      ['tague Slugs avec wet', tag],
      ['supprime la note Slugs', remove],
      ['Quelles notes renvoient vers Slugs ?', backlinks],
      ['tâches ouvertes', tasks],
      ['montre-moi mes tâches', tasks],
      ["que dois-je faire aujourd'hui ?", today],
      ['coche la tâche acheter du pain', tick('acheter du pain')],
      ['combien de notes ai-je ?', countAll],
      ['combien de notes dans le dossier Garden', countInGarden],
      ['combien de notes ont le tag #wet ?', countTagged],
      ['combien de notes parlent de pain ?', mentions('pain')],
      ['notes avec #wet', tagged],
      ["Qu'est-ce que j'ai écrit la semaine dernière ?", lastWeek],
      ['notes récentes', recent],
      ['annule la dernière modification', undo],
    ],
  ],
  [
    'es',
    [
      ['busca pan', search('pan')],
      ['abre la nota Slugs', read],
      ['renombra Slugs a Snails', rename],
      ['crea una nota llamada Slugs con cerveza', create],
      ['añade cerveza a la nota Slugs', append('cerveza')],
      ['añade horno limpio a la nota diaria', daily('horno limpio')],
      ['etiqueta Slugs con wet', tag],
      ['borra la nota Slugs', remove],
      ['¿Qué notas enlazan a Slugs?', backlinks],
      ['tareas pendientes', tasks],
      ['muéstrame mis tareas', tasks],
      ['¿qué tengo que hacer hoy?', today],
      ['marca la tarea comprar pan como hecha', tick('comprar pan')],
      ['¿cuántas notas tengo?', countAll],
      ['cuántas notas hay en la carpeta Garden', countInGarden],
      ['cuantas notas tienen la etiqueta #wet', countTagged],
      ['¿cuántas notas hablan de pan?', mentions('pan')],
      ['notas con #wet', tagged],
      ['¿Qué escribí la semana pasada?', lastWeek],
      ['notas recientes', recent],
      ['deshaz el último cambio', undo],
    ],
  ],
  [
    'it',
    [
      ['cerca pane', search('pane')],
      ['apri la nota Slugs', read],
      ['rinomina Slugs in Snails', rename],
      ['crea una nota chiamata Slugs con birra', create],
      ['aggiungi birra alla nota Slugs', append('birra')],
      ['aggiungi forno pulito alla nota giornaliera', daily('forno pulito')],
      ['tagga Slugs con wet', tag],
      ['elimina la nota Slugs', remove],
      ['Quali note rimandano a Slugs?', backlinks],
      ['attività aperte', tasks],
      ['mostrami le attività', tasks],
      ['cosa devo fare oggi?', today],
      ['segna comprare pane come fatto', tick('comprare pane')],
      ['quante note ho?', countAll],
      ['quante note ci sono nella cartella Garden', countInGarden],
      ['quante note hanno il tag #wet?', countTagged],
      ['quante note parlano di pane?', mentions('pane')],
      ['note con #wet', tagged],
      ['Cosa ho scritto la settimana scorsa?', lastWeek],
      ['note recenti', recent],
      ["annulla l'ultima modifica", undo],
    ],
  ],
  [
    'pt',
    [
      ['procura pão', search('pão')],
      ['abra a nota Slugs', read],
      ['renomeie Slugs para Snails', rename],
      ['crie uma nota chamada Slugs com cerveja', create],
      ['adicione cerveja à nota Slugs', append('cerveja')],
      ['adicione forno limpo à nota diária', daily('forno limpo')],
      ['etiquete Slugs com wet', tag],
      ['apague a nota Slugs', remove],
      ['Que notas apontam para Slugs?', backlinks],
      ['tarefas pendentes', tasks],
      ['mostre as minhas tarefas', tasks],
      ['o que tenho que fazer hoje?', today],
      ['marque a tarefa comprar pão como feita', tick('comprar pão')],
      ['quantas notas tenho?', countAll],
      ['quantas notas há na pasta Garden', countInGarden],
      ['quantas notas têm a etiqueta #wet?', countTagged],
      ['quantas notas falam de pão?', mentions('pão')],
      ['notas com #wet', tagged],
      ['O que escrevi na semana passada?', lastWeek],
      ['notas recentes', recent],
      ['desfaça a última alteração', undo],
    ],
  ],
  [
    'zh',
    [
      ['搜索面包', search('面包')],
      ['打开Slugs', read],
      ['把 Slugs 重命名为 Snails', rename],
      ['把“Slugs”改名为“Snails”', rename],
      ['新建一篇名为Slugs的笔记，内容是啤酒', create],
      ['在笔记Slugs里添加啤酒', append('啤酒')],
      ['在今天的日记里添加：打扫烤炉', daily('打扫烤炉')],
      ['给Slugs添加标签wet', tag],
      ['删除笔记Slugs', remove],
      ['哪些笔记链接到Slugs？', backlinks],
      ['未完成的任务', tasks],
      ['列出我的任务', tasks],
      ['今天要做什么？', today],
      ['勾选任务买面包', tick('买面包')],
      ['我有多少篇笔记？', countAll],
      ['Garden文件夹里有多少篇笔记', countInGarden],
      ['有多少篇笔记提到面包？', mentions('面包')],
      ['带有#wet的笔记', tagged],
      ['我上周写了什么？', lastWeek],
      ['最近的笔记', recent],
      ['撤销上一步', undo],
    ],
  ],
  [
    'ja',
    [
      ['パンを検索して', search('パン')],
      ['Slugsを開いて', read],
      ['「Slugs」を開いてください', read],
      ['SlugsをSnailsに改名して', rename],
      ['「Slugs」というノートを作成して、内容はビール', create],
      ['Slugsにビールを追加して', append('ビール')],
      ['今日のノートに窯を掃除したと追加して', expect.anything()],
      ['Slugsに#wetタグを付けて', tag],
      ['Slugsを削除して', remove],
      ['Slugsにリンクしているノート', backlinks],
      ['未完了のタスク', tasks],
      ['タスクを見せて', tasks],
      ['今日やること', today],
      ['「パンを買う」を完了にして', tick('パンを買う')],
      ['ノートはいくつありますか？', countAll],
      ['Gardenフォルダにノートはいくつある', countInGarden],
      ['パンについてのノートはいくつありますか？', mentions('パン')],
      ['#wetのノート', tagged],
      ['先週何を書いた？', lastWeek],
      ['最近のノート', recent],
      ['元に戻して', undo],
    ],
  ],
])('requests in %s', (_code, requests) => {
  it.each(requests)('%s', (text, call) => {
    expect(firstCall(text)).toEqual(call)
  })
})

describe('a language', () => {
  it.each(languages.map((language) => [language.code, language] as const))(
    'has forms that are patterns: %s',
    (_code, { forms, isUnspaced }) => {
      for (const list of Object.values(forms)) expect([...phrases(list, { isUnspaced })('')]).toEqual([])
    },
  )

  it.each(languages.map((language) => [language.code, language] as const))(
    'understands its own examples: %s',
    (_code, { examples }) => {
      for (const example of examples) {
        const request = example
          .replace('{note}', 'Slugs')
          .replace('{tag}', 'wet')
          .replace('{folder}', 'Garden')
          .replace('…', 'x')
        expect([request, firstCall(request)[0]]).not.toEqual([request, 'search_notes'])
      }
    },
  )

  it('has sentences with the same names to fill in as English', () => {
    const names = (sentence: unknown) => [...new Set(JSON.stringify(sentence).match(/\{\w+\}/g))].sort()
    const [english, ...others] = languages
    for (const { code, say } of others) {
      for (const [key, sentence] of Object.entries(english!.say)) {
        const own = names(say[key as keyof typeof say])
        expect([code, key, own]).toEqual([code, key, names(sentence)])
      }
    }
  })

  it.each([
    ['how do I prune roses?', 'en'],
    ['Wie oft soll ich die Rosen schneiden?', 'de'],
    ['Comment tailler les rosiers ?', 'fr'],
    ['¿Cómo se podan los rosales?', 'es'],
    ['Come si potano le rose?', 'it'],
    ['Como é que eu podo as roseiras?', 'pt'],
    ['怎么修剪玫瑰？', 'zh'],
    ['バラの剪定はいつですか？', 'ja'],
    ['Как обрезать розы?', 'en'],
    ['borodinsky', 'en'],
  ])('is recognized by its words or script: %s', (text, code) => {
    expect(languageOf(text).code).toBe(code)
  })

  it.each([
    ['de', 'letzte Woche', 'last week'],
    ['de', 'im März 2025', 'march 2025'],
    ['de', 'in den letzten 3 Tagen', 'last 3 days'],
    ['fr', 'la semaine dernière', 'last week'],
    ['fr', 'mars 2025', 'march 2025'],
    ['es', 'en mayo de 2025', 'may 2025'],
    ['it', "l'altro ieri", 'the day before yesterday'],
    ['pt', 'há 3 dias', '3 days ago'],
    ['zh', '2025年3月', '2025-03'],
    ['ja', '過去7日間', 'last 7 days'],
    ['ja', '2025-03-01', '2025-03-01'],
    ['de', 'irgendwann', undefined],
  ])('has times: %s %s', (code, words, english) => {
    const language = languages.find((each) => each.code === code)!
    expect(englishTime(words, language)).toBe(english)
  })
})
