import { writeSync } from 'node:fs'
import type { SessionWriter } from '../../src/core/session/index.js'
import { converse, type Host, openConversation, openPlace, script } from './conversation.js'

const [place, wanted] = process.argv.slice(2)
let passed = 0

/** The process ends here if it is its turn, as if the power of this process alone had failed. */
function moment(): void {
  if (++passed === Number(wanted)) process.kill(process.pid, 'SIGKILL')
}

/** Before and after all that leaves a trace there is a moment to die. */
const around =
  <Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>) =>
  async (...given: Given): Promise<Answer> => {
    moment()
    const answer = await work(...given)
    moment()
    return answer
  }

function mortal(host: Host): Host {
  const { log, sessions, notebook } = host
  const writing = (writer: SessionWriter): SessionWriter => ({ ...writer, append: around(writer.append) })
  return {
    ...host,
    log: { ...log, intend: around(log.intend), finish: around(log.finish) },
    sessions: { ...sessions, write: async (id) => writing(await sessions.write(id)) },
    notebook: { ...notebook, apply: around(notebook.apply) },
  }
}

const vault = await openPlace(place, mortal)
const { session } = await openConversation(vault, script)
await converse(vault, session, (event) => {
  writeSync(1, `${JSON.stringify(event)}\n`)
  moment()
})
writeSync(1, `${JSON.stringify({ passed })}\n`)
process.exit(0)
