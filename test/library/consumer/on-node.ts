import { type Config, type Failure, type FolderVault, openVault, type Session } from 'notewright'
import { Failure as CoreFailure } from 'notewright/core'

export const vault: FolderVault = await openVault('.', { environment: process.env })
export const session: Session = await vault.openSession({ model: 'offline', mode: 'vault-qa' })
export const level: 'locked' | 'read-only' | 'ask-all' | 'ask' | 'edit' | 'auto' = vault.settings.consent
export const web: Config['web']['searchEngine'] = 'searxng'
export const same: typeof Failure = CoreFailure
for await (const event of session.ask('what feeds the soil?')) {
  if (event.type === 'approval-asked') console.log(event.panel.kind, vault.approvalQueue.pending(session.id).length)
  if (event.type === 'run-end') console.log(event.text, event.failure?.hint)
}
// @ts-expect-error There is no such setting.
vault.settings.nonsense
