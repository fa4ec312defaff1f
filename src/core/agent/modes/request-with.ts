import type { ModelMessage } from '../../model/index.js'
import type { ToolResult } from '../../tools/index.js'
import { cutToFit } from '../budget/fold-message.js'
import { requestRoom } from '../budget/window-share.js'
import { requestMessage } from '../files/file-part.js'
import { shownFiles } from '../files/shown-files.js'
import { enveloped, requestText } from '../system-prompt.js'
import type { ModeRun } from './mode-run.js'

const resultShare = 0.6

/** The request as the model gets it, together with what was found for it before the model was asked. */
export function requestWith({ turn, setup, found }: ModeRun, more: readonly ToolResult[] = []): ModelMessage {
  const results = [...found, ...more]
  // Here they are part of the request, which is never trimmed, so they share what may be theirs.
  const share = setup.window && Math.floor((requestRoom(setup.window) * resultShare) / Math.max(1, results.length))
  const shown = (text: string) => (share === undefined ? text : cutToFit(text, share))
  const texts = results.map((result) => enveloped(`result of ${result.name}`, shown(result.text)))
  return requestMessage(requestText(turn, texts), [...(turn.context?.files ?? []), ...shownFiles(results, setup.tools)])
}
