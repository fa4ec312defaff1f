import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recipient } from '../../../core/providers/index.js'
import { privateFolder } from '../state/index.js'

/** What the person has said about sending the notes of this vault to this model at this host. */
export type Consent = 'agreed' | 'refused' | 'unasked'

export interface ConsentFile {
  recall(recipient: Recipient): Promise<Consent>
  remember(recipient: Recipient, answer: 'agreed' | 'refused'): Promise<void>
}

/** Answers of the person, in `embeddings.json` of the vault's state folder. Damaged, it is as if nobody was asked. */
export function consentFile(stateDir: string): ConsentFile {
  const file = join(stateDir, 'embeddings.json')

  async function answers(): Promise<Record<string, unknown>> {
    try {
      const data: unknown = JSON.parse(await readFile(file, 'utf8'))
      return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
    } catch {
      return {}
    }
  }

  return {
    async recall(recipient) {
      const known = await answers()
      const answer = Object.hasOwn(known, nameOf(recipient)) ? known[nameOf(recipient)] : undefined
      return answer === 'agreed' || answer === 'refused' ? answer : 'unasked'
    },
    async remember(recipient, answer) {
      const all = { ...(await answers()), [nameOf(recipient)]: answer }
      await privateFolder(stateDir)
      const aside = `${file}.${randomUUID()}`
      await writeFile(aside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
      await rename(aside, file)
    },
  }
}

const nameOf = ({ model, host }: Recipient): string => `${model} at ${host}`
