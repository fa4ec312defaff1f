import type { ToolProgress, ToolStep } from '../../../core/tools/index.js'
import type { Say } from './client-log.js'

/** What a client hears of a call besides its answer: how far it is, what it has changed, that it failed. */
export function toldOfCall(tool: string, say: Say) {
  let text: string | undefined
  return {
    report({ text: stage, done, total }: ToolProgress): void {
      const counted = total === undefined ? {} : { done, total }
      // Each stage once for whoever only looks on; every step of it for whoever looks closely.
      say(stage === text ? 'debug' : 'info', { message: stage, tool, ...counted })
      text = stage
    },
    step(step: ToolStep): void {
      if (step.step !== 'ended') return
      const { result } = step
      if (!result.ok) {
        const isBug = result.code === 'internal'
        say(isBug ? 'error' : 'warning', { message: 'The call failed.', tool, code: result.code })
      } else if (result.changeSet !== undefined) {
        say('info', { message: 'Changed the vault.', tool, notes: result.changeSet.changes.length })
      } else {
        say('debug', { message: 'Done.', tool })
      }
    },
  }
}
