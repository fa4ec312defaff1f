import { type Egress, readEgress } from '../../../../hosts/node/call-log/index.js'
import type { Invocation } from '../../program/invocation.js'
import { bytes, moment } from '../../show/quantities.js'
import { cutToWidth, jsonLine, visibleLine } from '../../terminal/index.js'

const usualLimit = 20

/** Shows what left this machine, oldest first: a JSON line each with `--json`. */
export async function showEgress(
  { terminal }: Invocation,
  { folder, since, limit }: { folder: string; since?: Date; limit?: number },
): Promise<void> {
  const all = await readEgress({ folder, since })
  const most = limit ?? (terminal.json ? all.length : usualLimit)
  const shown = most === 0 ? [] : all.slice(-most)
  for (const egress of shown) terminal.print(terminal.json ? jsonLine(egress) : row(egress, terminal.width))
  if (terminal.json) return
  if (all.length === 0) terminal.say('Nothing has left this machine from this vault.')
  else if (shown.length < all.length)
    terminal.say(`These are the last ${shown.length}. Show all with -n ${all.length}.`)
}

function row(egress: Egress, width: number): string {
  const who = 'tool' in egress ? egress.tool : `${egress.provider}/${egress.model}`
  const sent = 'notes' in egress ? [...egress.notes, ...(egress.files ?? [])] : []
  const notes = sent.length > 0 ? `  ${sent.join(', ')}` : ''
  const text = `${who}  ${bytes(egress.bytes)} to ${egress.destination}${notes}`
  return cutToWidth(`${moment(Date.parse(egress.time))}  ${visibleLine(text)}`, width)
}
