import { Failure } from '../../../core/errors.js'
import { nearestName } from '../../../core/text/index.js'
import type { ProgramStart } from '../approved-programs.js'
import { startHash } from '../approved-programs.js'
import { codexProgram } from '../codex/open-codex.js'
import { serverProgram, trustServer } from '../mcp-servers.js'
import { modulePrograms } from '../own-tools.js'
import type { ServersLocation } from './servers.js'
import { findServers } from './servers.js'
import { ownToolsFolder } from './tools.js'

/** A program that the settings, a vault or a folder name, as it would be started. */
export interface ProgramRow {
  id: string
  argv: readonly string[]
  cwd: string
  /** Variables it is given, as they are written in the settings. */
  given: [string, string][]
  /** Hash of exactly this command; no other one is approved. */
  hash: string
  approved: boolean
}

interface NamedProgram {
  row: ProgramRow
  approve(): Promise<void>
}

/** All programs that something could start: MCP servers, modules of own tools, and Codex where it is installed. */
export async function programRows(place: ServersLocation): Promise<ProgramRow[]> {
  return (await namedPrograms(place)).map(({ row }) => row)
}

/** Approves the program of this id. With a hash, only if its command is still the one that was shown. */
export async function approveProgram(place: ServersLocation, id: string, hash: string): Promise<ProgramRow> {
  const { row, approve } = programOf(id, await namedPrograms(place))
  if (row.hash !== hash) {
    throw new Failure('conflict', 'The command has changed since it was shown.', { hint: 'Check it again.' })
  }
  await approve()
  return { ...row, approved: true }
}

export async function findProgram(place: ServersLocation, id: string): Promise<ProgramRow> {
  return programOf(id, await namedPrograms(place)).row
}

/** Revokes the approval: the next start needs approval again. */
export async function withdrawProgram(place: ServersLocation, id: string): Promise<ProgramRow> {
  const { known } = await findServers(place)
  const { row } = programOf(id, await namedPrograms(place))
  await known.programs.withdraw(id)
  return { ...row, approved: false }
}

async function namedPrograms(place: ServersLocation): Promise<NamedProgram[]> {
  const found = await findServers(place)
  const { setup, known, root, servers } = found
  const { programs } = known
  const ofServers = servers.flatMap((server) => {
    const start = server.state === 'hidden' ? undefined : serverProgram(server, root)
    return start === undefined ? [] : [{ start, approve: () => trustServer(server, known, root) }]
  })
  const modules = await modulePrograms(ownToolsFolder(setup.folders), root)
  const codex = await installedCodexPrograms(place, found)
  const others = [...modules, ...codex].map((start) => ({ start, approve: () => programs.approve(start) }))
  return Promise.all(
    [...ofServers, ...others].map(async ({ start, approve }) => ({ approve, row: await rowOf(start) })),
  )

  async function rowOf(start: ProgramStart): Promise<ProgramRow> {
    const { id, argv, cwd, env } = start
    const approved = await programs.isApproved(start)
    return { id, argv, cwd, given: Object.entries(env), hash: startHash(start), approved }
  }
}

/** None where Codex is not installed. */
async function installedCodexPrograms(
  { surroundings: { environment } }: ServersLocation,
  { setup }: Awaited<ReturnType<typeof findServers>>,
): Promise<ProgramStart[]> {
  try {
    return [await codexProgram({ environment, state: setup.folders.state, settings: setup.config.codex })]
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

function programOf(id: string, programs: readonly NamedProgram[]): NamedProgram {
  const isMeant = ({ row }: NamedProgram) => row.id === id
  const isShort = ({ row }: NamedProgram) => row.id.endsWith(`:${id}`)
  const [found, ...more] = programs.some(isMeant) ? programs.filter(isMeant) : programs.filter(isShort)
  if (found !== undefined && more.length === 0) return found
  const ids = programs.map(({ row }) => row.id)
  const near = nearestName(id, ids)
  throw new Failure(found === undefined ? 'not-found' : 'ambiguous', `Program not found: ${id}`, {
    hint: near
      ? `Did you mean ${near}?`
      : ids.length > 0
        ? `Use one of: ${ids.join(', ')}.`
        : 'No programs are set up.',
  })
}
