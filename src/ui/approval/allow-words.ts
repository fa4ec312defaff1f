import type { ApprovalRequest } from '../../core/approval/index.js'
import { count, visibleText } from '../../core/text/index.js'

/** What the person has chosen in a panel so far. */
export interface Chosen {
  /** Of `pick`. */
  picked: ReadonlySet<string>
  /** `change/hunk` of those that are accepted. */
  hunks: ReadonlySet<string>
  /** Links in hidden notes are to be rewritten too. */
  touchesHidden: boolean
  /** Other arguments; absent while they are as they were. */
  input?: unknown
}

/** What the button says: what will happen when it is pressed. */
export function allowWords(request: ApprovalRequest, chosen: Chosen): string {
  const { kind, pick, hunks, impact, changes, sends, tool } = request
  if (chosen.input !== undefined) return 'Use the changed arguments'
  if (kind === 'executable') return 'Write text that other programs run'
  if (pick) return `Share ${chosen.picked.size} of ${pick.length}`
  const all = hunks?.reduce((sum, own) => sum + own.hunks.length, 0) ?? 0
  const isPart = chosen.hunks.size < all
  if (impact) {
    if (chosen.touchesHidden) return 'Plan it with the hidden notes'
    if (isPart) return `Rename, and apply ${chosen.hunks.size} of ${all} changes to links`
    return impact.links === 0 ? 'Rename' : `Rename and update ${count(impact.links, 'link')}`
  }
  if (isPart) return `Apply ${chosen.hunks.size} of ${all} changes`
  if (changes?.length === 1) return changeWords(changes[0])
  if (changes && changes.length > 1) return `Apply ${count(changes.length, 'change')}`
  if (sends.length > 0)
    return `Send it to ${hostOf(sends[0].url)}${sends.length > 1 ? ` and ${sends.length - 1} more` : ''}`
  return tool.effects.every((effect) => effect === 'reads') ? `Allow: ${line(tool.title)}` : `Run ${line(tool.title)}`
}

function changeWords({ kind, path }: NonNullable<ApprovalRequest['changes']>[number]): string {
  const name = line(path.slice(path.lastIndexOf('/') + 1))
  switch (kind) {
    case 'create':
      return `Create ${name}`
    case 'edit':
      return `Apply to ${name}`
    case 'append':
      return `Add to ${name}`
    case 'move':
      return `Move ${name}`
    case 'trash':
      return `Put ${name} in the trash`
    default:
      return kind satisfies never
  }
}

const hostOf = (url: string): string => (URL.canParse(url) && new URL(url).host) || 'the network'

const line = (text: string): string => {
  const shown = visibleText(text).text.replaceAll('\n', ' ')
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown
}
