import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { Failure } from '../errors.js'
import { timeZone } from '../time/index.js'
import { notePath } from '../vault/index.js'
import type { BaseFile, BaseFiles } from './base-files.js'
import { checkFunctions, evaluate } from './evaluate.js'
import { type Expression, parseExpression } from './parse-expression.js'
import { jsonValue, textOf, type Value } from './values.js'

const zone = timeZone('Europe/Berlin')
const now = Date.parse('2025-06-15T12:30:00Z')

const file = (path: string, properties: Record<string, unknown> = {}, tags: string[] = []): BaseFile => ({
  path: notePath(path),
  size: 1234,
  ctimeMs: Date.parse('2025-05-01T08:00:00Z'),
  mtimeMs: Date.parse('2025-06-12T12:30:00Z'),
  tags,
  properties,
})

const book = file(
  'Books/Dune.md',
  {
    title: 'Dune',
    price: 12.5,
    quantity: 4,
    age: 5,
    status: 'open',
    author: '[[Frank Herbert]]',
    authors: ['[[Frank Herbert|Frank]]', '[[Nobody]]'],
    tags: ['book', 'urgent'],
    tasks: ['a', 'b', 'c'],
    due_date: '2025-06-01',
    start_date: '2025-06-01',
    'image-property': 'cover.png',
    'Due Date': '2025-07-01',
    nested: { subprop: 7 },
    constructor: 'own',
  },
  ['book', 'tag1/a'],
)
const herbert = file('People/Frank Herbert.md', { born: 1920 })
const all = [book, herbert]

const files: BaseFiles = {
  at: (path) => all.find((each) => each.path === path),
  find: (text) => all.find(({ path }) => path === text || path.endsWith(`/${text}.md`) || path === `${text}.md`),
  linksOf: (path) =>
    path === book.path
      ? [
          { text: 'Frank Herbert', display: undefined, target: herbert.path, isEmbed: false },
          { text: 'cover.png', display: undefined, target: undefined, isEmbed: true },
        ]
      : [],
  backlinksOf: (path) => (path === herbert.path ? [book.path] : []),
  wordsOf: () => 321,
}

const formulas = new Map<string, Expression>([
  ['price_per_unit', parseExpression('price / quantity')],
  ['Owned', parseExpression('2.6')],
  ['ppu', parseExpression('(price / age).toFixed(2)')],
  ['loop', parseExpression('formula.loop2 + 1')],
  ['loop2', parseExpression('formula.loop')],
])

const run = (source: string, about: BaseFile = book): Value => {
  const expression = parseExpression(source)
  checkFunctions(expression)
  return evaluate(expression, { file: about, files, formulas, shownIn: herbert, now, zone })
}
const plain = (source: string): unknown => jsonValue(run(source))

describe('expressions of Obsidian Bases', () => {
  // Every example of the pages "Bases syntax", "Functions" and "Formulas" of Obsidian's help, with what it says of them.
  it.each<[string, unknown]>([
    ['if(price, price.toFixed(2) + " dollars")', '12.50 dollars'],
    ['(price / age).toFixed(2)', '2.50'],
    ['[1,2,3].mean().round(3)', 2],
    ['status != "done"', true],
    ['formula.ppu > 5', false],
    ['price > 2.1', true],
    ['file.hasTag("tag")', false],
    ['file.hasTag("book")', true],
    ['file.hasLink("Textbook")', false],
    ['file.inFolder("Required Reading")', false],
    ['note.price', 12.5],
    ['note["price"]', 12.5],
    ['file.size', 1234],
    ['file.ext', 'md'],
    ['file.ext == "md"', true],
    ['formula.price_per_unit * 1.1', 3.4375000000000004],
    ['this.file.folder', 'People'],
    ['this.file.name', 'Frank Herbert.md'],
    ['file.hasLink(this.file)', true],
    ['price * (2 * 3.14)', 78.5],
    ['date("2024-12-01") + "1M" + "4h" + "3m"', '2025-01-01 04:03:00'],
    ['now() + "1 day"', '2025-06-16 14:30:00'],
    ['file.mtime > now() - "1 week"', true],
    ['(now() + "1d") - now()', 86_400_000],
    ['now() - file.ctime', now - Date.parse('2025-05-01T08:00:00Z')],
    ['now().date()', '2025-06-15'],
    ['now().format("YYYY-MM-DD")', '2025-06-15'],
    ['"message"', 'message'],
    ['1', 1],
    ['(2.5)', 2.5],
    ['true', true],
    ['false', false],
    ['date("2025-01-01 12:00:00")', '2025-01-01 12:00:00'],
    ['now() + "1 hour"', '2025-06-15 15:30:00'],
    ['today() + "7d"', '2025-06-22'],
    ['now().hour', 14],
    ['now().time()', '14:30:00'],
    ['tags[0]', 'book'],
    ['nested.subprop', 7],
    ['nested["subprop"]', 7],
    ['link("https://obsidian.md")', 'https://obsidian.md'],
    ['link(file.ctime.date().toString())', '2025-05-01'],
    ['link("filename", "display")', 'display'],
    ['link("filename", icon("plus"))', 'plus'],
    ['file.asLink()', 'Books/Dune.md'],
    ['author == this', true],
    ['authors.contains(this)', true],
    ['date("2025-05-27")', '2025-05-27'],
    ['duration("1d") * 2', '2 days'],
    ["now() + (duration('1d') * 2)", '2025-06-17 14:30:00'],
    ["duration('5h') * 2", '10 hours'],
    ['file(link("[[Frank Herbert]]"))', 'People/Frank Herbert.md'],
    ['file("People/Frank Herbert.md")', 'People/Frank Herbert.md'],
    ['if(file.hasTag("book"), "Modified", "Unmodified")', 'Modified'],
    ['image(image-property)', 'cover.png'],
    [
      'image("https://obsidian.md/images/obsidian-logo-gradient.svg")',
      'https://obsidian.md/images/obsidian-logo-gradient.svg',
    ],
    ['icon("arrow-right")', 'arrow-right'],
    ['list("value")', ['value']],
    ['number("3.4")', 3.4],
    ['1.isTruthy()', true],
    ['"example".isType("string")', true],
    ['true.isType("boolean")', true],
    ['123.toString()', '123'],
    ['now().date().format("YYYY-MM-DD HH:mm:ss")', '2025-06-15 00:00:00'],
    ['date("2025-05-27").format("YYYY-MM-DD")', '2025-05-27'],
    ['file.mtime.relative()', '3 days ago'],
    ['"hello".contains("ell")', true],
    ['"hello".containsAll("h", "e")', true],
    ['"hello".containsAny("x", "y", "e")', true],
    ['"hello".endsWith("lo")', true],
    ['"Hello world".isEmpty()', false],
    ['"".isEmpty()', true],
    ['"a:b:c:d".replace(/:/, "-")', 'a-b:c:d'],
    ['"a:b:c:d".replace(/:/g, "-")', 'a-b-c-d'],
    ['"John Smith".replace(/(\\w+) (\\w+)/, "$2, $1")', 'Smith, John'],
    ['"123".repeat(2)', '123123'],
    ['"hello".reverse()', 'olleh'],
    ['"hello".slice(1, 4)', 'ell'],
    ['"a,b,c,d".split(",", 3)', ['a', 'b', 'c']],
    ['"a,b,c,d".split(/,/, 3)', ['a', 'b', 'c']],
    ['"hello".startsWith("he")', true],
    ['"hello world".title()', 'Hello World'],
    ['"  hi  ".trim()', 'hi'],
    ['(-5).abs()', 5],
    ['(2.1).ceil()', 3],
    ['(2.9).floor()', 2],
    ['5.isEmpty()', false],
    ['(2.5).round()', 3],
    ['(2.3333).round(2)', 2.33],
    ['(3.14159).toFixed(2)', '3.14'],
    ['[1,2,3].contains(2)', true],
    ['[1,2,3].containsAll(2,3)', true],
    ['[1,2,3].containsAny(3,4)', true],
    ['[1,2,3,4].filter(value > 2)', [3, 4]],
    ['[1,[2,3]].flat()', [1, 2, 3]],
    ['[1,2,3].isEmpty()', false],
    ['[1,2,3].join(",")', '1,2,3'],
    ['[1,2,3,4].map(value + 1)', [2, 3, 4, 5]],
    ['[1,2,3].reduce(acc + value, 0)', 6],
    ['[3, "x", 9].filter(value.isType("number")).reduce(if(acc == null || value > acc, value, acc), null)', 9],
    ['[1,2,3].reverse()', [3, 2, 1]],
    ['[1,2,3,4].slice(1,3)', [2, 3]],
    ['[3, 1, 2].sort()', [1, 2, 3]],
    ['["c", "a", "b"].sort()', ['a', 'b', 'c']],
    ['[1,2,2,3].unique()', [1, 2, 3]],
    ['link("[[Frank Herbert]]").asFile()', 'People/Frank Herbert.md'],
    ['file.hasTag("tag1", "tag2")', true],
    ['file.inFolder("Books")', true],
    ['{}.isEmpty()', true],
    ['{"a": 1, "b": 2}.keys()', ['a', 'b']],
    ['{"a": 1, "b": 2}.values()', [1, 2]],
    ['/abc/.matches("abcde")', true],
    ['price * quantity', 50],
    ['file.name + " - " + status', 'Dune.md - open'],
    ['price + quantity', 16.5],
    ['price - quantity', 8.5],
    ['price / quantity', 3.125],
    ['(quantity / age) * 100', 80],
    ['price > 100', false],
    ['age < 18', true],
    ['status == "Done"', false],
    ["file.mtime > now() - '7d'", true],
    ['!completed', true],
    ['price > 0 && quantity > 0', true],
    ['urgent || price', true],
    ['if(price, "$" + price.toFixed(2), "")', '$12.50'],
    ['file.name.lower()', 'dune.md'],
    ['tags.contains("urgent")', true],
    ['due_date.format("YYYY-MM-DD")', '2025-06-01'],
    ['start_date + "2w"', '2025-06-15'],
    ['if(due_date < now() && status != "Done", "Overdue", "")', 'Overdue'],
    ['tasks.length', 3],
    ['(price * quantity) / age', 10],
    ['title + " " + status', 'Dune open'],
    ['quantity * formula.Owned.round()', 12],
    ['{"name": "value"}', { name: 'value' }],
    ['escapeHTML("<b>")', '&#60;b&#62;'],
    ['max(1, 7, 3)', 7],
    ['min(4, 2)', 2],
  ])('%s is %j', (source, value) => expect(plain(source)).toEqual(value))

  // Every function, field, property, operator and unit of these pages that has no example there.
  it.each<[string, unknown]>([
    ...['y', 'year', 'years'].map((unit): [string, unknown] => [`date("2024-02-29") + "1${unit}"`, '2025-02-28']),
    ...['M', 'month', 'months'].map((unit): [string, unknown] => [`date("2024-12-01") + "1 ${unit}"`, '2025-01-01']),
    ...['d', 'day', 'days'].map((unit): [string, unknown] => [`date("2024-12-31") + "1${unit}"`, '2025-01-01']),
    ...['w', 'week', 'weeks'].map((unit): [string, unknown] => [`date("2024-12-25") + "1 ${unit}"`, '2025-01-01']),
    ...['h', 'hour', 'hours'].map((unit): [string, unknown] => [
      `(date("2024-12-31 23:30:00") + "1${unit}").toString()`,
      '2025-01-01 00:30:00',
    ]),
    ...['m', 'minute', 'minutes'].map((unit): [string, unknown] => [
      `(date("2024-12-31 23:59:00") + "1 ${unit}").toString()`,
      '2025-01-01 00:00:00',
    ]),
    ...['s', 'second', 'seconds'].map((unit): [string, unknown] => [
      `(date("2024-12-31 23:59:58") + "1${unit}").toString()`,
      '2024-12-31 23:59:59',
    ]),
    ['(date("2025-01-01 01:00:00") - "2h").toString()', '2024-12-31 23:00:00'],
    ['date("2025-05-27 13:14:15").year', 2025],
    ['date("2025-05-27 13:14:15").month', 5],
    ['date("2025-05-27 13:14:15").day', 27],
    ['date("2025-05-27 13:14:15").hour', 13],
    ['date("2025-05-27 13:14:15").minute', 14],
    ['date("2025-05-27 13:14:15").second', 15],
    ['date("2025-05-27 13:14:15").millisecond', 0],
    ['date("2025-05-27").isEmpty()', false],
    ['date("2025-05-27") < date("2025-05-28")', true],
    ['date("2025-05-27") <= date("2025-05-27")', true],
    ['date("2025-05-27") > date("2025-05-28")', false],
    ['date("2025-05-27") >= date("2025-05-28")', false],
    ['date("2025-05-27") == date("2025-05-27")', true],
    ['date("2025-05-27") != date("2025-05-27")', false],
    ['number(date("1970-01-02T01:00:00"))', 86_400_000],
    ['number(true)', 1],
    ['number(false)', 0],
    ['random() >= 0 && random() < 1', true],
    ['html("<b>x</b>")', '<b>x</b>'],
    ['today() == now().date()', true],
    ['if(missing, 1)', null],
    ['list(tags).length', 2],
    ['list([1, 2])', [1, 2]],
    ['"Hello".length', 5],
    ['"Hello".lower()', 'hello'],
    ['"hello".slice(3)', 'lo'],
    ['missing.isEmpty()', true],
    ['"x".isTruthy()', true],
    ['0.isTruthy()', false],
    ['[1, 2, 3].length', 3],
    ['[5, 6, 7].filter(index > 0)', [6, 7]],
    ['[5, 6].map(index)', [0, 1]],
    ['[5, 6].reduce(acc + index, 0)', 1],
    ['[].isEmpty()', true],
    ['[1,2,3,4].slice(2)', [3, 4]],
    ['link("[[Dune]]").linksTo(file("People/Frank Herbert.md"))', true],
    ['link("Dune").asFile() == file', true],
    ['link("[[Nothing]]") == link("[[Nothing]]")', true],
    ['link("[[Nothing]]") != link("[[Nothing else]]")', true],
    ['link("[[Frank Herbert|x]]") == link("People/Frank Herbert.md")', true],
    ['file.file == file', true],
    ['file.name', 'Dune.md'],
    ['file.basename', 'Dune'],
    ['file.path', 'Books/Dune.md'],
    ['file.folder', 'Books'],
    ['file.ctime.format("YYYY-MM-DD")', '2025-05-01'],
    ['file.mtime.format("YYYY-MM-DD")', '2025-06-12'],
    ['file.tags', ['book', 'tag1/a']],
    ['file.links.length', 2],
    ['file.embeds.length', 1],
    ['this.file.backlinks.length', 1],
    ['file.properties.status', 'open'],
    ['file.asLink("shown")', 'shown'],
    ['file.hasLink("Frank Herbert")', true],
    ['file.hasProperty("price")', true],
    ['file.hasProperty("nothing")', false],
    ['file.hasTag("nothing", "tag1")', true],
    ['file.inFolder("Book")', false],
    ['{"a": 1}.isEmpty()', false],
    ['/^x/.matches("abc")', false],
    ['5 % 3', 2],
    ['price == 12.5 && price != 12', true],
    ['price >= 12.5 && price <= 12.5', true],
    ["'single'", 'single'],
  ])('%s is %j', (source, value) => expect(plain(source)).toEqual(value))

  it('knows every function of the pages, and no property of a JavaScript object', () => {
    const globals = 'escapeHTML date duration file html image icon link list max min now number today random if'
    const methods =
      'isTruthy isType toString date format time relative isEmpty contains containsAll containsAny endsWith lower replace repeat reverse slice split startsWith title trim abs ceil floor round toFixed filter flat join map reduce sort unique mean asFile linksTo asLink hasLink hasProperty hasTag inFolder keys values matches'
    for (const name of globals.split(' ')) expect(() => checkFunctions(parseExpression(`${name}(1)`))).not.toThrow()
    for (const name of methods.split(' ')) expect(() => checkFunctions(parseExpression(`x.${name}(1)`))).not.toThrow()
    for (const name of ['constructor', 'call', 'apply', 'bind', 'valueOf', '__defineGetter__', 'hasOwnProperty']) {
      expect(() => checkFunctions(parseExpression(`x.${name}(1)`))).toThrow('Unknown function')
      expect(() => checkFunctions(parseExpression(`${name}(1)`))).toThrow('Unknown function')
    }
  })

  it.each<[string, unknown]>([
    ['1 + 2 * 3 - 4 / 2', 5],
    ['7 % 4', 3],
    ['-price', -12.5],
    ['!(price > 100) && status == "open"', true],
    ['note["Due Date"]', '2025-07-01'],
    ['due date', undefined],
    ['missing', null],
    ['missing.anything.more', null],
    ['missing + 1', null],
    ['missing.contains("x")', false],
    ['missing.isEmpty()', true],
    ['missing > 1', false],
    ['1 / 0', null],
    ['title.length', 4],
    ['title.contains("un")', true],
    ['PRICE', 12.5],
    ['status.containsAny("open", "new")', true],
    ['due_date == "2025-06-01"', true],
    ['due_date.contains("2025")', true],
    ['due_date.year', 2025],
    ['date("2024-01-31") + "1M"', '2024-02-29'],
    ['date("2024-03-31") - "1 month"', '2024-02-29'],
    ['author.asFile().name', 'Frank Herbert.md'],
    ['author.born', null],
    ['authors[0]', 'Frank'],
    ['file.backlinks.length', 0],
    ['file.links.length', 2],
    ['file.embeds', ['cover.png']],
    ['file.basename', 'Dune'],
    ['file.folder', 'Books'],
    ['file.words', 321],
    ['file.properties.price', 12.5],
    ['file.hasProperty("price")', true],
    ['file.hasProperty("toString")', false],
    ['author.linksTo(file)', false],
    ['[[1, 2], [3]].flat().length', 3],
    ['[3, null, "b", 1].sort()', [1, 3, 'b', null]],
    ['0.1 + 0.2 == 0.3', false],
    ['(0.1 + 0.2).toString()', '0.3'],
    ['"5" == 5', true],
    ['"10" > "9"', true],
    ['"a" < "B"', true],
    ['"x".repeat(-1)', ''],
    ['"aXbX".replace("X", "-")', 'a-b-'],
    ["'it\\'s'", "it's"],
  ])('%s', (source, value) => {
    if (value === undefined) expect(() => run(source)).toThrow(Failure)
    else expect(plain(source)).toEqual(value)
  })

  it.each([
    ['1 +', /missing at the end/],
    ['', /empty/],
    ['(1', /Expected "\)"/],
    ['"a', /closing quote/],
    ['a b', /Unexpected "b"/],
    ['#', /Unexpected "#"/],
    ['nope(1)', /Unknown function in the expression: nope\(\)/],
    ['title.nope()', /Unknown function in the expression: nope\(\)/],
    ['title.abs()', /abs\(\) cannot be used with a value of type/],
    ['formula.nope', /no formula named "nope"/],
    ['formula.loop', /refers to itself/],
    ['number("x")', /"x" is not a number/],
    ['date("soon")', /"soon" is not a date/],
    ['/(a)\\1/.matches("aa")', /not supported/],
    ['"x".repeat(1000000)', /too long/],
    ['[1,2,3].map(value.map(value))', /map|value/],
  ])('%s fails with a reason', (source, reason) => expect(() => run(source)).toThrow(reason))

  it('reaches nothing but the note: no constructors, prototypes or globals', () => {
    for (const source of [
      'constructor.constructor',
      'title.constructor',
      '[].constructor',
      '{}.constructor',
      '{}.__proto__',
      'file.__proto__',
      'file.constructor',
      'globalThis',
      'process',
      'note.__proto__',
      'note["__proto__"]["polluted"]',
      'formula["__proto__"]',
      'this["constructor"]["name"]',
      '({"__proto__": 1}).polluted',
    ]) {
      let value: unknown
      try {
        value = plain(source)
      } catch (error) {
        expect(error).toBeInstanceOf(Failure)
        continue
      }
      expect([source, value === null || typeof value === 'string' || typeof value === 'number']).toEqual([source, true])
    }
    expect(plain('constructor')).toBe('own')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('gives a value or a failure for any expression, and ends', () => {
    const leaf = fc.constantFrom(
      '1',
      '0',
      '"a"',
      '"2025-01-01"',
      '"1d"',
      'price',
      'tags',
      'author',
      'file',
      'this',
      'missing',
      'now()',
      'null',
      '[1,"b",null]',
      '{"k": 2}',
      '/a+/g',
      'note',
      'value',
      'nested',
      'due_date',
      '-1',
      '1e300',
      '"constructor"',
      '"__proto__"',
      'constructor',
    )
    const method = fc.constantFrom(
      'contains',
      'map',
      'filter',
      'reduce',
      'split',
      'replace',
      'repeat',
      'join',
      'slice',
      'sort',
      'unique',
      'flat',
      'format',
      'round',
      'toFixed',
      'hasLink',
      'hasTag',
      'inFolder',
      'asLink',
      'asFile',
      'linksTo',
      'keys',
      'matches',
      'toString',
      'isEmpty',
      'relative',
      'date',
      'title',
      'reverse',
      'mean',
    )
    const global = fc.constantFrom(
      'if',
      'list',
      'number',
      'date',
      'duration',
      'file',
      'link',
      'max',
      'min',
      'html',
      'escapeHTML',
    )
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        leaf,
        fc
          .tuple(
            tie('expression'),
            fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||'),
            tie('expression'),
          )
          .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
        fc.tuple(tie('expression'), method, tie('expression')).map(([a, name, b]) => `(${a}).${name}(${b})`),
        fc.tuple(global, tie('expression'), tie('expression')).map(([name, a, b]) => `${name}(${a}, ${b})`),
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a})[${b}]`),
        fc.tuple(fc.constantFrom('!', '-'), tie('expression')).map(([sign, a]) => `${sign}(${a})`),
      ),
    }))
    fc.assert(
      fc.property(expression, (source) => {
        try {
          const value = run(source)
          textOf(value)
          // Nothing but plain data comes out.
          expect(() => structuredClone(jsonValue(value))).not.toThrow()
        } catch (error) {
          if (!(error instanceof Failure)) throw error
        }
      }),
      { numRuns: howOften(5000, 100_000) },
    )
  }, 600_000)

  it('reads or refuses any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab1."\'()[]{},:+-*/%!=<>&|\\ é💡') }), (source) => {
        try {
          run(source)
        } catch (error) {
          if (!(error instanceof Failure)) throw error
        }
      }),
      { numRuns: 5000 },
    )
  })
})
