import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeCases } from '../security/describe-cases.js'
import { type Stage, stage } from './cli-harness.js'
import { mcpCases } from './mcp-cases.js'
import { startMcp } from './mcp-client.js'

let on: Stage
beforeEach(async () => {
  on = await stage()
})
afterEach(() => on.remove())

describe('notewright mcp', () => {
  it('answers the first search of a vault that was never indexed, and ends with its client', async () => {
    const client = await startMcp(['--vault', on.vault], on.environment)
    await expect
      .poll(
        async () => (await client.call('search_notes', { query: 'blight' })).result.structuredContent.results[0]?.path,
      )
      .toBe('Garden/Tomatoes.md')
    expect(await client.close()).toBe(0)
  })

  it('reports where it looked if there is no vault, with nothing on standard output', async () => {
    const { code, stdout, stderr } = await on.run(['mcp'], { cwd: on.environment.HOME })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('OBSIDIAN_VAULT_PATH')
  })

  it('reads the environment variables of other servers for Obsidian', async () => {
    const limits = {
      OBSIDIAN_VAULT_PATH: on.vault,
      OBSIDIAN_READ_PATHS: 'Garden/, Kitchen',
      OBSIDIAN_READ_ONLY: 'true',
    }
    const client = await startMcp([], { ...on.environment, ...limits })
    const { result } = await client.request('tools/list')
    expect(
      result.tools.every((tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint),
    ).toBe(true)
    expect((await client.call('read_note', { path: 'Home.md' })).result.content[0].text).toContain('not-found')
    expect((await client.call('read_note', { path: 'Garden/Beans.md' })).result.isError).toBeUndefined()
    await client.close()
  })

  it('serves several vaults, named after their folders', async () => {
    const other = await stage()
    const client = await startMcp(
      ['--vault', on.vault, '--vault', other.home.replace(/home$/, 'vault')],
      on.environment,
    )
    const { result } = await client.request('tools/list')
    expect(result.tools[0].inputSchema.properties.vault.enum).toEqual(['vault', 'vault 2'])
    await client.close()
    await other.remove()
  })

  it('names the client in the log and in the history', async () => {
    const client = await startMcp(['--vault', on.vault, '--approvals', 'edit'], on.environment, 'Claude Code')
    await client.call('append_note', { path: 'Home.md', content: 'More.' })
    await client.close()
    const { value } = await on.json('history')
    expect(JSON.stringify(value)).toContain('mcp-claude-code-')
    const undone = await on.json('undo', '--yes')
    expect(undone.code).toBe(0)
    expect(await on.read('Home.md')).not.toContain('More.')
  })
})

describe('the security cases of the MCP server', () => describeCases(mcpCases))
