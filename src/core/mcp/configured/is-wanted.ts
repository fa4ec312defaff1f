import { mayBeOffered } from '../../tools/index.js'

/** Whether one of these tools may be this server's: one that offers nothing need not run. */
export function isWanted(server: string, enabled: readonly string[] = []): boolean {
  return enabled.some(
    (id) => id.startsWith(`${server}/`) || id.startsWith(`mcp_${server}_`) || mayBeOffered(id, server),
  )
}
