import { canonicalJson } from '../../core/approval/index.js'
import { Failure } from '../../core/errors.js'
import { hashBytes } from '../../core/vault/index.js'
import type { SqliteDriver } from './sqlite.js'
import { userState, usingDatabase } from './state-database.js'

/** A program, or a module of tools, exactly as it would be started. */
export interface ProgramStart {
  /** `mcp:SERVER`, `tool:FILE` or `codex`: how the user names it in `notewright programs`. */
  id: string
  argv: readonly string[]
  /** The folder it runs in. */
  cwd: string
  /** Variables it receives besides the usual ones, as written in the settings. */
  env: Readonly<Record<string, string>>
  /** Hash of a module's bytes: for a module, the code is the command. */
  content?: string
}

/** The commands the user has approved on this computer. Every start of a program is checked here. */
export interface ApprovedPrograms {
  isApproved(start: ProgramStart): Promise<boolean>
  /** Fails with `needs-approval` unless exactly this command was approved. */
  require(start: ProgramStart): Promise<void>
  /** Only after the user has seen the full command, or has typed it. */
  approve(start: ProgramStart): Promise<void>
  /** Withdraws every approval of this id. */
  withdraw(id: string): Promise<void>
}

/** A changed command has another hash and needs approval again. */
export function startHash({ id, argv, cwd, env, content }: ProgramStart): string {
  return hashBytes(new TextEncoder().encode(canonicalJson({ id, argv, cwd, env, ...(content && { content }) })))
}

/** Stored in the user's state, which is not part of any vault, settings file or sync. */
export function approvedPrograms(stateFolder: string): ApprovedPrograms {
  const state = userState(stateFolder)

  const isApproved = async (start: ProgramStart) => {
    const hash = startHash(start)
    const row = usingDatabase(state, () =>
      state.look((driver) => driver.first('SELECT 1 FROM approved_programs WHERE hash = ?', [hash])),
    )
    return row !== undefined
  }
  return {
    isApproved,
    async require(start) {
      if (!(await isApproved(start))) throw notApproved(start)
    },
    async approve(start) {
      const { id, argv, cwd, env } = start
      // Only the hash is compared. The rest is for users who read the table; values of variables may be secrets.
      const row = [startHash(start), id, JSON.stringify(argv), cwd, JSON.stringify(Object.keys(env))]
      usingDatabase(state, () =>
        state.change((driver) =>
          driver.run('INSERT OR REPLACE INTO approved_programs (hash, id, argv, cwd, env) VALUES (?, ?, ?, ?, ?)', row),
        ),
      )
    },
    async withdraw(id) {
      usingDatabase(state, () => {
        const isOf = (driver: SqliteDriver) => driver.first('SELECT 1 FROM approved_programs WHERE id = ?', [id])
        if (state.look(isOf) === undefined) return
        state.change((driver) => driver.run('DELETE FROM approved_programs WHERE id = ?', [id]))
      })
    },
  }
}

export function notApproved({ id }: Pick<ProgramStart, 'id'>): Failure {
  const [kind, name = id] = id.split(/:(.*)/s)
  const what = kind === 'mcp' ? `The MCP server ${name}` : kind === 'tool' ? `Your tool module ${name}` : 'Codex'
  const command = `notewright programs approve ${id}`
  return new Failure(
    'needs-approval',
    `${what} was not started, because its command is not approved on this computer.`,
    {
      hint: `Check the command and approve it: ${command}`,
      data: { program: id },
    },
  )
}
