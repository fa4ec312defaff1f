import { describe, expect, it } from 'vitest'
import { mcpServer, pageServer, serverKills } from './server-kills.js'
import { pickSeed } from './torture.js'

/** Two of each kind of change; `npm run torture -- --only mcp-kills` has time for more. */
const kills = 10

describe.each([
  { name: 'MCP server', open: mcpServer },
  { name: 'page', open: pageServer },
])('the $name, killed while it renames, appends, deletes, undoes and changes many notes', ({ name, open }) => {
  it('leaves every note old or new, and answers the next request from the current notes', async () => {
    const { trials, notes } = await serverKills(name, open, kills, pickSeed())
    expect(trials).toBe(kills)
    expect(notes).toMatchObject({ torn: 0, mixed: 0, 'stray files': 0, 'wrong answers': 0 })
  })
})
