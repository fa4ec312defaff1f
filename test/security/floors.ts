import { mcpCases } from '../e2e/mcp-cases.js'
import { terminalCases } from '../e2e/terminal-cases.js'
import { pluginCases } from '../obsidian/plugin-cases.js'
import { webCases } from '../web/web-cases.js'
import { pageCases } from '../web-app/page-cases.js'
import { agentCases } from './agent/agent-cases.js'
import { durabilityCases } from './durability-cases.js'
import { livenessCases } from './liveness-cases.js'
import { parseCases } from './parse-cases.js'
import { pathCases } from './path-cases.js'
import { secretCases } from './secret-cases.js'
import { type CaseChecks, readSecurityCases } from './security-case.js'
import { serverCases } from './server/server-cases.js'
import { serverToolsCases } from './server-tools-cases.js'
import { approvalCases } from './tools/approval-cases.js'
import { exfiltrationCases } from './tools/exfiltration-cases.js'
import { networkCases } from './tools/network-cases.js'
import { toolParseCases } from './tools/parse-cases.js'
import { toolPathCases } from './tools/path-cases.js'
import { privacyCases } from './tools/privacy-cases.js'

/** The checks of each case by layer, from the folder on disk up to the user. */
export const floors = {
  vault: { ...pathCases, ...parseCases, ...livenessCases, ...durabilityCases },
  log: secretCases,
  web: webCases,
  tools: {
    ...toolPathCases,
    ...toolParseCases,
    ...approvalCases,
    ...exfiltrationCases,
    ...networkCases,
    ...privacyCases,
  },
  agent: agentCases,
  terminal: terminalCases,
  mcp: mcpCases,
  page: pageCases,
  plugin: pluginCases,
  server: serverCases,
  'server-tools': serverToolsCases,
} satisfies Record<string, CaseChecks>

/** A line for each case that is checked somewhere: its id, how many checks it has and where; then those that are left. */
export function caseTable(): string {
  const rows = readSecurityCases().map((example) => {
    const places = Object.entries(floors).flatMap(([floor, cases]) => {
      const checks = (cases as CaseChecks)[example.id]?.(example)
      return checks === undefined ? [] : [{ floor, count: checks.length }]
    })
    return { id: example.id, places, total: places.reduce((sum, { count }) => sum + count, 0) }
  })
  const checked = rows.filter(({ total }) => total > 0)
  const lines = checked.map(({ id, places, total }) => {
    return `${id}  ${`${total}`.padStart(6)}  ${places.map(({ floor, count }) => `${floor} ${count}`).join(', ')}`
  })
  const left = rows.flatMap(({ id, total }) => (total === 0 ? [id] : []))
  const missing = left.length === 0 ? [] : [`WITHOUT A CHECK: ${left.join(' ')}`]
  return ['case  checks  where', ...lines, ...missing, ''].join('\n')
}
