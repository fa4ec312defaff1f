import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const codexVersions = ['0.166', '0.89'] as const

export type CodexVersion = (typeof codexVersions)[number]

export const codexPath = (version: CodexVersion) =>
  fileURLToPath(new URL(`../node_modules/codex-${version}/bin/codex.js`, import.meta.url))

/** A home for Codex in which its model is the one at this address. It also has an MCP server, which leaves a file when it is started. */
export async function codexHome(modelUrl: string): Promise<{ home: string; startedServers: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'notewright-codex-home-'))
  const startedServers = join(folder, 'started-servers')
  const home = join(folder, 'home')
  await mkdir(home)
  const config = `model = "scripted"
model_provider = "loopback"
[model_providers.loopback]
name = "The scripted model"
base_url = "${modelUrl}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.tattling]
command = ${JSON.stringify(process.execPath)}
args = ["-e", ${JSON.stringify(`require('fs').appendFileSync(${JSON.stringify(startedServers)}, 'started'); setInterval(() => {}, 1000)`)}]
`
  await writeFile(join(home, 'config.toml'), config)
  return { home, startedServers }
}
