import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../core/is-record.js'
import { isDamage, openDriver, type SqliteDriver, type SqlValue } from './sqlite.js'

/**
 * Imports the files in which earlier versions of Notewright stored state into the state database: two SQLite files, the
 * call log as lines of JSON, and small JSON files. Each file is removed once its content is committed. Importing a file
 * twice changes nothing, so a program that was killed in between can start again.
 */
export function importEarlierFiles(driver: SqliteDriver, { files }: EarlierFiles): void {
  driver.exec('PRAGMA synchronous = FULL')
  for (const { isThere, importInto, remove } of files) {
    if (!isThere()) continue
    driver.exec('BEGIN IMMEDIATE')
    try {
      // Another process may have imported it meanwhile.
      if (isThere()) importInto(driver)
      driver.exec('COMMIT')
    } catch (error) {
      driver.exec('ROLLBACK')
      throw error
    }
    remove()
  }
  driver.exec('PRAGMA synchronous = NORMAL')
  driver.all('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** The files of earlier versions in one folder, present or not. */
export interface EarlierFiles {
  exist(): boolean
  files: readonly EarlierFile[]
}

interface EarlierFile {
  isThere(): boolean
  importInto(driver: SqliteDriver): void
  remove(): void
}

type Report = (text: string) => void

/** The files of a vault, in its state folder. */
export function earlierVaultFiles(stateDir: string, report: Report): EarlierFiles {
  const grants = join(stateDir, 'permissions', 'grants.json')
  return earlierFiles([
    databaseFile(join(stateDir, 'sessions.db'), importSessions, (aside) =>
      report(`The stored chats were damaged. They were moved to ${aside}, and a new store was created.`),
    ),
    databaseFile(join(stateDir, 'approvals.db'), importClientTaint, (aside) =>
      report(`The file with waiting requests was damaged. It was moved to ${aside}, and a new one was created.`),
    ),
    callFiles(join(stateDir, 'calls'), report),
    grantsFile(grants, (driver, text) => {
      const rows = text === undefined ? undefined : grantsIn(text)
      if (rows === undefined) {
        const aside = grants.replace(/\.json$/, `.damaged-${fileStamp()}.json`)
        renameSync(grants, aside)
        return report(`${grants} is damaged, so its rules no longer apply. It was moved to ${aside}.`)
      }
      for (const { id, rule, createdAt, about = null } of rows) {
        driver.run('INSERT OR IGNORE INTO grants (id, rule, created_at, about) VALUES (?, ?, ?, ?)', [
          id,
          rule,
          createdAt,
          about,
        ])
      }
    }),
    textFile(join(stateDir, 'embeddings.json'), (driver, text) => {
      for (const [recipient, answer] of entriesIn(text)) {
        if (answer !== 'agreed' && answer !== 'refused') continue
        driver.run('INSERT OR IGNORE INTO embedding_consent (recipient, answer) VALUES (?, ?)', [recipient, answer])
      }
    }),
  ])
}

/** The files for all vaults, in the state folder itself. */
export function earlierUserFiles(stateFolder: string, report: Report): EarlierFiles {
  return earlierFiles([
    databaseFile(join(stateFolder, 'serve', 'replies.db'), importResponses, (aside) =>
      report(`The stored responses were damaged. They were moved to ${aside}.`),
    ),
    textFile(join(stateFolder, 'timers.json'), (driver, text) => {
      for (const [name, timer] of entriesIn(text)) {
        driver.run('INSERT OR IGNORE INTO timers (name, timer) VALUES (?, ?)', [name, JSON.stringify(timer)])
      }
    }),
    textFile(join(stateFolder, 'dialects.json'), (driver, text) => {
      for (const [model, dialect] of entriesIn(text)) {
        if (typeof dialect !== 'string') continue
        driver.run('INSERT OR IGNORE INTO dialects (model, dialect) VALUES (?, ?)', [model, dialect])
      }
    }),
    textFile(join(stateFolder, 'mcp', 'known.json'), (driver, text) => {
      for (const { server, tool } of recordsIn(text, 'seen')) {
        if (typeof server !== 'string' || !isRecord(tool) || typeof tool.name !== 'string') continue
        driver.run('INSERT OR IGNORE INTO seen_tools (server, name, tool) VALUES (?, ?, ?)', [
          server,
          tool.name,
          JSON.stringify(tool),
        ])
      }
      for (const { vault, server, hash } of recordsIn(text, 'trusted')) {
        if (![vault, server, hash].every((value) => typeof value === 'string')) continue
        driver.run('INSERT OR IGNORE INTO trusted_servers (vault, server, hash) VALUES (?, ?, ?)', [
          vault,
          server,
          hash,
        ] as string[])
      }
    }),
    textFile(join(stateFolder, 'programs', 'approved.json'), (driver, text) => {
      for (const { id, argv, cwd, env, hash } of recordsIn(text, 'approvals')) {
        if (![id, cwd, hash].every((value) => typeof value === 'string')) continue
        driver.run('INSERT OR IGNORE INTO approved_programs (hash, id, argv, cwd, env) VALUES (?, ?, ?, ?, ?)', [
          hash as string,
          id as string,
          JSON.stringify(argv ?? []),
          cwd as string,
          JSON.stringify(env ?? []),
        ])
      }
    }),
  ])
}

const earlierFiles = (files: readonly EarlierFile[]): EarlierFiles => ({
  exist: () => files.some(({ isThere }) => isThere()),
  files,
})

function databaseFile(
  path: string,
  copy: (from: SqliteDriver, into: SqliteDriver) => void,
  onDamage: (aside: string) => void,
): EarlierFile {
  return {
    isThere: () => isFile(path),
    importInto(driver) {
      driver.exec('SAVEPOINT importing')
      try {
        const from = openDriver(path)
        try {
          // Processes of the earlier version write nothing meanwhile.
          from.exec('PRAGMA busy_timeout = 15000')
          from.exec('BEGIN IMMEDIATE')
          copy(from, driver)
          from.exec('ROLLBACK')
        } finally {
          from.close()
        }
        driver.exec('RELEASE importing')
      } catch (error) {
        if (!isDamage(error)) throw error
        driver.exec('ROLLBACK TO importing')
        driver.exec('RELEASE importing')
        const aside = `${path.replace(/\.db$/, '')}-damaged-${fileStamp()}.db`
        for (const end of databaseFileEnds) if (isFile(path + end)) renameSync(path + end, aside + end)
        onDamage(aside)
      }
    },
    remove() {
      for (const end of databaseFileEnds) rmSync(path + end, { force: true })
    },
  }
}

const databaseFileEnds = ['', '-wal', '-shm']

function textFile(path: string, importText: (driver: SqliteDriver, text: string) => void): EarlierFile {
  return {
    isThere: () => isFile(path),
    importInto: (driver) => importText(driver, readFileSync(path, 'utf8')),
    remove: () => rmSync(path, { force: true }),
  }
}

/** Only a file of a usual size allows something; a link to another file does not. */
function grantsFile(path: string, importText: (driver: SqliteDriver, text?: string) => void): EarlierFile {
  const find = () => lstatSync(path, { throwIfNoEntry: false })
  return {
    isThere: () => find() !== undefined,
    importInto(driver) {
      const stat = find()
      importText(driver, stat?.isFile() && stat.size <= 1 << 20 ? readFileSync(path, 'utf8') : undefined)
    },
    remove: () => rmSync(path, { force: true }),
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const fileStamp = (): string => new Date().toISOString().replace(/[:.]/g, '-')

/** A session that is known already gains the events that it does not have. */
function importSessions(from: SqliteDriver, into: SqliteDriver): void {
  const columns = 'id, title, titled_by, created_at, updated_at, about, bytes, touched, holder'
  for (const row of from.all(`SELECT ${columns}, number, last FROM sessions WHERE last > 0 ORDER BY touched`)) {
    const [id, , , createdAt] = row as SqlValue[]
    const [last, number] = row.slice(-2).reverse().map(Number) as [number, number]
    const known = into.first('SELECT number, last, created_at FROM sessions WHERE id = ?', [id as string])
    if (known === undefined) {
      into.run(`INSERT INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, row.slice(0, 9) as SqlValue[])
    }
    // `!`: the row was inserted above if it was missing.
    const [newNumber, had, begunAt] = (known ??
      into.first('SELECT number, last, created_at FROM sessions WHERE id = ?', [id as string])!) as [
      number,
      number,
      unknown,
    ]
    const isSame = known === undefined || begunAt === createdAt
    const after = isSame ? had : 0
    const shift = isSame ? 0 : had
    for (const [key, time, type, event, words] of from.all(
      'SELECT id, time, type, event, words FROM event_rows WHERE id > ? AND id < ? ORDER BY id',
      [number * eventsPerSession + after, (number + 1) * eventsPerSession],
    )) {
      const seq = (Number(key) % eventsPerSession) + shift
      into.run('INSERT INTO event_rows (id, time, type, event, words) VALUES (?, ?, ?, ?, ?)', [
        Number(newNumber) * eventsPerSession + seq,
        ...([time, type, event, words] as SqlValue[]),
      ])
    }
    into.run('UPDATE sessions SET last = max(last, ?) WHERE number = ?', [last + shift, newNumber])
    for (const [hash, bytes] of from.all('SELECT hash, bytes FROM file_rows WHERE session = ?', [number])) {
      into.run('INSERT OR IGNORE INTO file_rows (session, hash, bytes) VALUES (?, ?, ?)', [
        newNumber,
        hash as string,
        bytes as Uint8Array,
      ])
    }
    const [state] = from.first('SELECT state FROM states WHERE session = ?', [number]) ?? []
    if (state !== undefined && last + shift > had) {
      into.run('INSERT OR REPLACE INTO states (session, state) VALUES (?, ?)', [newNumber, state as string])
    }
  }
  const usage = 'time, session, turn, model, project, input, output, cached, cost'
  for (const row of from.all(`SELECT ${usage} FROM usage ORDER BY rowid`)) {
    into.run(
      `INSERT INTO usage (${usage}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (SELECT 1 FROM usage WHERE time = ?1 AND session IS ?2 AND turn IS ?3 AND model = ?4 AND project IS ?5 AND input IS ?6 AND output IS ?7 AND cached IS ?8 AND cost IS ?9)`,
      row as SqlValue[],
    )
  }
}

/** As in `state-database.ts`; this file numbers the events of earlier files, whose range never changes. */
const eventsPerSession = 2 ** 31

/** Requests that wait belong to processes of the earlier version, which look for answers in their own file. */
function importClientTaint(from: SqliteDriver, into: SqliteDriver): void {
  for (const row of from.all('SELECT client, provenance, seen_at FROM seen')) {
    into.run(
      'INSERT OR IGNORE INTO client_provenance (client, provenance, seen_at) VALUES (?, ?, ?)',
      row as SqlValue[],
    )
  }
  for (const row of from.all('SELECT client, path, read_at FROM notes_read')) {
    into.run('INSERT OR IGNORE INTO client_notes (client, path, read_at) VALUES (?, ?, ?)', row as SqlValue[])
  }
}

function importResponses(from: SqliteDriver, into: SqliteDriver): void {
  for (const row of from.all('SELECT id, used_at, made_at, reply FROM replies ORDER BY rowid')) {
    into.run('INSERT OR IGNORE INTO responses (id, used_at, made_at, response) VALUES (?, ?, ?, ?)', row as SqlValue[])
  }
  for (const row of from.all('SELECT name, reply_id FROM names')) {
    into.run('INSERT OR IGNORE INTO response_names (name, response_id) VALUES (?, ?)', row as SqlValue[])
  }
  for (const row of from.all('SELECT name, value FROM secrets')) {
    into.run('INSERT OR REPLACE INTO secrets (name, value) VALUES (?, ?)', row as SqlValue[])
  }
}

/** The call log: full files `calls-000001.jsonl` and so on, the current one, and a count of rows. */
function callFiles(folder: string, report: Report): EarlierFile {
  const names = () => {
    const all = readdirSync(folder).filter((name) => /^calls(-\d+)?\.jsonl$/.test(name))
    // The current file comes last.
    return all.sort((a, b) => (a === 'calls.jsonl' ? 1 : b === 'calls.jsonl' ? -1 : a < b ? -1 : 1))
  }
  return {
    isThere: () => (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false) && names().length > 0,
    importInto(driver) {
      let unreadable = 0
      for (const name of names()) {
        const lines = readFileSync(join(folder, name), 'utf8').split('\n')
        // The last line has no end where a process was killed while it wrote.
        lines.pop()
        for (const line of lines) if (!importLogRow(driver, line)) unreadable++
      }
      driver.run(
        'UPDATE call_log_size SET bytes = (SELECT coalesce(sum(length(row) + coalesce(length(outcome), 0)), 0) FROM call_log)',
      )
      if (unreadable > 0) report(`${unreadable} damaged rows of the tool call log were skipped.`)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A call left two lines, the second one when it ended. */
function importLogRow(driver: SqliteDriver, line: string): boolean {
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch {
    return false
  }
  if (!isRecord(row) || !Number.isSafeInteger(row.n)) return false
  const { row: kind, n, prev: _, hash: __, salt: ___, erased, id, pid, ...content } = row
  if (kind === 'intent' || kind === 'request') {
    const time = String(kind === 'intent' ? content.timestamp : content.time)
    const text = (value: unknown) => (typeof value === 'string' ? value : null)
    const values = [
      kind === 'intent' ? 'call' : 'request',
      time,
      text(content.session),
      text(content.turn),
      text(content.tool_name),
      typeof pid === 'number' ? pid : null,
      JSON.stringify(content),
      erased === undefined ? 0 : 1,
    ]
    const [knownTime] = driver.first('SELECT time FROM call_log WHERE n = ?', [n as number]) ?? []
    if (knownTime === time) return true
    driver.run(
      'INSERT INTO call_log (n, kind, time, session, turn, tool, pid, row, erased) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      [knownTime === undefined ? (n as number) : null, ...values],
    )
  } else if (kind === 'outcome') {
    const { timestamp: ____, ...outcome } = content
    driver.run('UPDATE call_log SET outcome = ? WHERE n = ? AND outcome IS NULL', [JSON.stringify(outcome), Number(id)])
  }
  return true
}

interface EarlierGrant {
  id: string
  rule: string
  createdAt: string
  about?: string
}

function grantsIn(text: string): EarlierGrant[] | undefined {
  const tree = parseJson(text)
  if (!isRecord(tree) || tree.version !== 1 || !Array.isArray(tree.grants)) return undefined
  return tree.grants.every(isGrant) ? tree.grants : undefined
}

function isGrant(value: unknown): value is EarlierGrant {
  const { id, rule, createdAt, about } = (value ?? {}) as Record<string, unknown>
  const isText = (text: unknown) => typeof text === 'string' && text !== ''
  return isText(id) && isText(rule) && isText(createdAt) && (about === undefined || typeof about === 'string')
}

/** Entries of a JSON object; none where the file was damaged. */
function entriesIn(text: string): [string, unknown][] {
  const tree = parseJson(text)
  return isRecord(tree) ? Object.entries(tree) : []
}

function recordsIn(text: string, list: string): Record<string, unknown>[] {
  const tree = parseJson(text)
  const found = isRecord(tree) ? tree[list] : undefined
  return Array.isArray(found) ? found.filter(isRecord) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
