import type { SettledPlace } from '../../../core/vault/index.js'
import { type UndoPlan, UndoView } from '../../../ui/index.js'
import { postJson } from './ask-server.js'

type KeptPlan = UndoPlan & { id: string }

const plan = (id: string, settle?: readonly SettledPlace[]) => postJson<KeptPlan>('undo', { id, settle })

const apply = ({ id }: KeptPlan) => postJson(`plans/${id}`)

/** The server keeps what it has planned; a yes names it. */
export function UndoPane({ ids, onDone }: { ids: readonly string[]; onDone(text: string): void }) {
  return <UndoView ids={ids} plan={plan} apply={apply} onDone={onDone} />
}
