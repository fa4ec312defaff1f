/** What is loaded when a client asks for something: tools, policy and notes. */
export { parkedCalls } from './approval/parked-calls.js'
export { clients } from './clients/clients.js'
export { followNotes } from './resources/follow-notes.js'
export { vaultAnswers } from './vault-answers.js'
